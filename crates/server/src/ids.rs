//! Unguessable values: links, session cookies and tokens.

use crate::error::{Answer, Refusal};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

/// Number of random bytes in an id: 144 bits.
const ID_BYTES: usize = 18;
/// Length of an id in characters.
pub(crate) const ID_LENGTH: usize = ID_BYTES / 3 * 4;

/// BLAKE3 digest of a secret, for storage and comparison.
pub(crate) type Digest = [u8; 32];

/// Generates an id of 24 characters (base64url) from the system's random source. Ids serve as
/// links, cookie values and tokens.
pub(crate) fn new_id() -> Answer<String> {
    let mut bytes = [0; ID_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| Refusal::fault(format!("no randomness: {error}")))?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// Generates a token for [`Config::token`](crate::Config::token): 24 characters in base64url.
///
/// # Errors
/// The system's random source is not available.
pub fn new_token() -> Result<String, crate::ServeError> {
    new_id().map_err(|refusal| crate::ServeError::Other(format!("no token: {}", refusal.message)))
}

/// Returns the BLAKE3 digest of a secret.
pub(crate) fn digest(secret: &str) -> Digest {
    *blake3::hash(secret.as_bytes()).as_bytes()
}
