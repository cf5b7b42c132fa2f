"""The door to the disk: nothing below the workspace root is opened through a link."""
