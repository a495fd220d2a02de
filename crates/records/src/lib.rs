//! Played games on disk: Parquet files that are verified when read.
