//! Players, matches, openings, ratings.
