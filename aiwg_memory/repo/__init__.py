"""The door to git: read by plumbing, so that nothing a repository configures is run."""
