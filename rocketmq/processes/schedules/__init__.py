"""Fixed sequences of steps on processes of a release, one for each defect or hazard."""
