//! What can't be guessed: links, cookies, tokens.

use crate::error::{Answer, Refusal};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

/// Bytes of a link's id: 144 bits.
const ID_BYTES: usize = 18;
/// Characters of a link's id.
pub(crate) const ID_LENGTH: usize = ID_BYTES / 3 * 4;

/// What stands for a secret where it is kept or compared; equally long whatever the secret is.
pub(crate) type Digest = [u8; 32];

/// A link's id or a cookie's value, from the system's randomness.
pub(crate) fn new_id() -> Answer<String> {
    let mut bytes = [0; ID_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| Refusal::fault(format!("no randomness: {error}")))?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// A token to be printed once.
///
/// # Errors
/// The system has no randomness.
pub fn new_token() -> Result<String, crate::ServeError> {
    new_id().map_err(|refusal| crate::ServeError::Token(refusal.message))
}

/// What is kept of a secret.
pub(crate) fn digest(secret: &str) -> Digest {
    *blake3::hash(secret.as_bytes()).as_bytes()
}
