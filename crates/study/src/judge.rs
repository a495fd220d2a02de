//! From registered endpoints and what was measured to judgements.
