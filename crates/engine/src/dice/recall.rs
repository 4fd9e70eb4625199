//! What rules code worked out between two throws, kept for the next time the same way is walked.

use std::any::Any;

use smallvec::SmallVec;

/// The results of one stretch between two throws, in the order in which they were asked for.
///
/// The same rolls lead to the same battle, so whatever was read off it then holds again.
#[derive(Debug, Default)]
pub struct Recall {
    kept: SmallVec<[Box<dyn Any + Send>; 2]>,
    next: usize,
}

impl Recall {
    /// Starts from the first result again.
    pub(super) fn rewind(&mut self) {
        self.next = 0;
    }

    /// The next result, if it is known.
    pub fn known<T: Clone + 'static>(&mut self) -> Option<T> {
        let known = self.kept.get(self.next)?.downcast_ref::<T>()?.clone();
        self.next += 1;
        Some(known)
    }

    /// Keeps a result that was not known.
    pub fn keep<T: Send + 'static>(&mut self, result: T) {
        if self.next == self.kept.len() {
            self.kept.push(Box::new(result));
            self.next += 1;
        }
    }
}
