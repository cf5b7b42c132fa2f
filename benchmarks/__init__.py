"""What the tool is measured by: `python -m benchmarks` prints one table each for quality and for cost."""
