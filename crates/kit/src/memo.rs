//! Answers that follow from a battle, remembered until something changes.

use std::fmt;
use std::sync::OnceLock;

/// An answer that is found when it is first asked for. It is no part of the battle: whatever is remembered, two battles that
/// are otherwise the same are the same.
#[derive(Clone, Default)]
pub struct Memo<T>(OnceLock<T>);

impl<T> Memo<T> {
    /// Nothing is remembered yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The answer, found now if it is not known.
    pub fn get(&self, find: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(find)
    }

    /// The answer, if it is known.
    #[must_use]
    pub fn known(&self) -> Option<&T> {
        self.0.get()
    }

    /// Something has changed that it depended on.
    pub fn forget(&mut self) {
        self.0.take();
    }
}

impl<T> PartialEq for Memo<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Memo<T> {}

impl<T> fmt::Debug for Memo<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.get().is_some() { "Memo(known)" } else { "Memo" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_found_once_until_it_is_forgotten() {
        let mut memo = Memo::new();
        assert_eq!(*memo.get(|| 7), 7);
        assert_eq!(*memo.get(|| 8), 7);
        assert!(memo == Memo::new(), "what is remembered makes no difference");
        memo.forget();
        assert_eq!((memo.known(), *memo.get(|| 8)), (None, 8));
    }
}
