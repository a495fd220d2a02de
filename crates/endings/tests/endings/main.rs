//! Tables of endings, asked from outside.

mod brute_force;
mod tables;
