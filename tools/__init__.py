"""What the project's own work needs: random specifications against TLC, the pages of docs/."""
