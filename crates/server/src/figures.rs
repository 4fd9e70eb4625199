//! What the server counts, as Prometheus reads it.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// The upper ends of the classes of how long a request took, in milliseconds.
const CLASSES: [u64; 10] = [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000];

/// Everything counted since the start.
#[derive(Default)]
pub(crate) struct Figures {
    choices: AtomicU64,
    judged_again: AtomicU64,
    odds_given_up: AtomicU64,
    sockets: AtomicI64,
    /// By the first digit of their status, 1 to 5.
    requests: [AtomicU64; 5],
    latency: Times,
    /// From when a choice came to when it was on the disk.
    choosing: Times,
}

/// How long something took, by classes.
#[derive(Default)]
struct Times {
    classes: [AtomicU64; CLASSES.len()],
    microseconds: AtomicU64,
    count: AtomicU64,
}

impl Times {
    fn add(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.microseconds.fetch_add(micros, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
        if let Some(class) = CLASSES.iter().position(|most| micros <= most * 1_000) {
            self.classes[class].fetch_add(1, Ordering::Relaxed);
        }
    }

    fn put(&self, text: &mut String, name: &str, help: &str) {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} histogram");
        let of = |figure: &AtomicU64| figure.load(Ordering::Relaxed);
        let mut below = 0;
        for (most, count) in CLASSES.iter().zip(&self.classes) {
            below += of(count);
            let _ = writeln!(text, "{name}_bucket{{le=\"{}\"}} {below}", *most as f64 / 1_000.0);
        }
        let all = of(&self.count);
        let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {all}");
        let _ = writeln!(text, "{name}_sum {}\n{name}_count {all}", of(&self.microseconds) as f64 / 1e6);
    }
}

/// What is known elsewhere, at the moment somebody asks.
pub(crate) struct Standing {
    pub(crate) kept: u64,
    pub(crate) in_memory: usize,
    pub(crate) thinking: usize,
    pub(crate) waiting: usize,
    pub(crate) runs_waiting: usize,
}

/// A connection is open for as long as this is there.
pub(crate) struct Open(std::sync::Arc<Figures>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Figures {
    /// A choice, or anything else that changes a battle, is on the disk.
    pub(crate) fn chosen(&self, took: Duration) {
        self.choices.fetch_add(1, Ordering::Relaxed);
        self.choosing.add(took);
    }

    /// Another process wrote first.
    pub(crate) fn judged_again(&self) {
        self.judged_again.fetch_add(1, Ordering::Relaxed);
    }

    /// Whoever asked for odds did not wait for them.
    pub(crate) fn odds_given_up(&self) {
        self.odds_given_up.fetch_add(1, Ordering::Relaxed);
    }

    /// How many of them.
    #[cfg(test)]
    pub(crate) fn odds_not_waited_for(&self) -> u64 {
        self.odds_given_up.load(Ordering::Relaxed)
    }

    /// A socket was opened.
    pub(crate) fn opened(self: &std::sync::Arc<Self>) -> Open {
        self.sockets.fetch_add(1, Ordering::Relaxed);
        Open(std::sync::Arc::clone(self))
    }

    /// A request was answered.
    pub(crate) fn answered(&self, status: u16, took: Duration) {
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        self.requests[class].fetch_add(1, Ordering::Relaxed);
        self.latency.add(took);
    }

    /// All of it in Prometheus' own form.
    pub(crate) fn text(&self, standing: &Standing) -> String {
        let mut text = String::new();
        let of = |figure: &AtomicU64| figure.load(Ordering::Relaxed);
        let mut put = |kind: &str, name: &str, help: &str, value: String| {
            let _ = writeln!(
                text,
                "# HELP sabretache_{name} {help}\n# TYPE sabretache_{name} {kind}\nsabretache_{name} {value}"
            );
        };
        put("gauge", "battles", "Battles that are kept.", standing.kept.to_string());
        put("gauge", "battles_in_memory", "Battles in memory.", standing.in_memory.to_string());
        put("gauge", "sockets", "Open WebSockets.", self.sockets.load(Ordering::Relaxed).to_string());
        put("counter", "choices_total", "Choices written to logs.", of(&self.choices).to_string());
        put(
            "counter",
            "judged_again_total",
            "Choices judged again: another was first.",
            of(&self.judged_again).to_string(),
        );
        put("counter", "odds_given_up_total", "Odds nobody waited for.", of(&self.odds_given_up).to_string());
        put("gauge", "thinking", "Computer players that think.", standing.thinking.to_string());
        put("gauge", "thinking_queue", "Computer players that wait for a thread.", standing.waiting.to_string());
        put("gauge", "laboratory_queue", "Runs that wait.", standing.runs_waiting.to_string());
        let _ = writeln!(
            text,
            "# HELP sabretache_requests_total Requests by status.\n# TYPE sabretache_requests_total counter"
        );
        for (n, count) in self.requests.iter().enumerate() {
            let _ = writeln!(text, "sabretache_requests_total{{status=\"{}xx\"}} {}", n + 1, of(count));
        }
        self.latency.put(&mut text, "sabretache_request_seconds", "How long requests took.");
        self.choosing.put(&mut text, "sabretache_choice_seconds", "How long choices took until they were on the disk.");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_told_and_the_classes_add_up() {
        let figures = std::sync::Arc::new(Figures::default());
        figures.chosen(Duration::from_millis(2));
        figures.answered(200, Duration::from_millis(2));
        figures.answered(403, Duration::from_millis(20));
        figures.answered(503, Duration::from_secs(100));
        let open = figures.opened();
        let standing = Standing { kept: 7, in_memory: 2, thinking: 1, waiting: 4, runs_waiting: 0 };
        let text = figures.text(&standing);
        for line in [
            "sabretache_battles 7",
            "sabretache_choices_total 1",
            "sabretache_sockets 1",
            "sabretache_thinking_queue 4",
            "sabretache_requests_total{status=\"4xx\"} 1",
            "sabretache_request_seconds_bucket{le=\"0.003\"} 1",
            "sabretache_request_seconds_bucket{le=\"0.03\"} 2",
            "sabretache_request_seconds_bucket{le=\"30\"} 2",
            "sabretache_request_seconds_bucket{le=\"+Inf\"} 3",
        ] {
            assert!(text.lines().any(|one| one == line), "{line}\n{text}");
        }
        drop(open);
        assert!(figures.text(&standing).contains("sabretache_sockets 0"));
    }
}
