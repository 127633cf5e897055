"""Whether a recorded run is a behaviour of the specification."""
