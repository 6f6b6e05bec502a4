"""What hidden pieces are: styles of line-ups, policies, and how right belief is."""
