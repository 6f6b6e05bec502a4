"""Knight's tours of any board."""
