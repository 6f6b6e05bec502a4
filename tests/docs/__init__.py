"""The pages, the README and the architecture say what is true."""
