//! Tests of the rows from outside: what is read off games whose targets can be worked out by hand.

mod games;
mod targets;
mod turns;
