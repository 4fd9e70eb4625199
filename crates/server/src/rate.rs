//! How often something may be asked.

use std::time::Duration;

use tokio::time::Instant;

/// A bucket of permits that fills up evenly.
#[derive(Debug)]
pub(crate) struct Rate {
    permits: f64,
    most: f64,
    per_second: f64,
    last: Instant,
}

impl Rate {
    /// So many at once, and so many a second in the long run.
    pub(crate) fn new(at_once: u32, per_second: u32) -> Self {
        let most = f64::from(at_once);
        Self { permits: most, most, per_second: f64::from(per_second), last: Instant::now() }
    }

    /// So many at once, and one in this time in the long run.
    pub(crate) fn every(at_once: u32, time: Duration) -> Self {
        Self { per_second: 1.0 / time.as_secs_f64(), ..Self::new(at_once, 0) }
    }

    /// Takes a permit, if there is one.
    pub(crate) fn take(&mut self) -> bool {
        self.take_at(Instant::now())
    }

    /// Whether no permit has been taken for so long that all are there.
    pub(crate) fn is_full(&self) -> bool {
        self.permits + self.last.elapsed().as_secs_f64() * self.per_second >= self.most
    }

    fn take_at(&mut self, now: Instant) -> bool {
        let passed: Duration = now.saturating_duration_since(self.last);
        self.last = now;
        self.permits = (self.permits + passed.as_secs_f64() * self.per_second).min(self.most);
        let there = self.permits >= 1.0;
        if there {
            self.permits -= 1.0;
        }
        there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_run_out_and_come_back() {
        let mut rate = Rate::new(3, 10);
        let start = rate.last;
        let granted = |rate: &mut Rate, at: Instant| (0..5).filter(|_| rate.take_at(at)).count();
        assert_eq!(granted(&mut rate, start), 3);
        assert_eq!(granted(&mut rate, start + Duration::from_millis(200)), 2);
        assert_eq!(granted(&mut rate, start + Duration::from_secs(3600)), 3, "no more than fit in the bucket");
    }
}
