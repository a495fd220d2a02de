//! Replay window, learner, run directory, the generation loop.
