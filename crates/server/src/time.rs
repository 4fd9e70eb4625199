//! What time it is.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970; on a simulated day, those of its own time.
pub(crate) fn now() -> i64 {
    #[cfg(test)]
    if let Some(since) = turmoil::since_epoch() {
        return i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
