//! Rules code runs on threads where it may take its time.

use tokio::task::JoinError;

/// Does some work apart. It fails where the rules code panics.
pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    // On a simulated day there is one thread alone.
    #[cfg(test)]
    if turmoil::in_simulation() {
        return Ok(work());
    }
    tokio::task::spawn_blocking(work).await
}
