"""What a change means for memory and instructions: told by handle, with before and after, and bounded."""
