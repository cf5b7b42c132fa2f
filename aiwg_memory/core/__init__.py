"""Pure: bytes and values in, values out. No disk, no git, no clock, no randomness, no printing."""
