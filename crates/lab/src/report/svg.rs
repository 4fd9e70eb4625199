//! A little drawing: axes, lines, bands, bars and dots as SVG.

use std::fmt::Write as _;

/// Room for what is written beside the axes.
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 12.0;
const RIGHT: f64 = 14.0;

/// A plot in the making.
pub(super) struct Plot {
    width: f64,
    height: f64,
    x: (f64, f64),
    y: (f64, f64),
    body: String,
}

impl Plot {
    pub(super) fn new(width: f64, height: f64, x: (f64, f64), y: (f64, f64)) -> Self {
        let wide = |(low, high): (f64, f64)| if high > low { (low, high) } else { (low, low + 1.0) };
        Self { width, height, x: wide(x), y: wide(y), body: String::new() }
    }

    pub(super) fn px(&self, x: f64) -> f64 {
        LEFT + (x - self.x.0) / (self.x.1 - self.x.0) * (self.width - LEFT - RIGHT)
    }

    pub(super) fn py(&self, y: f64) -> f64 {
        self.height - BOTTOM - (y - self.y.0) / (self.y.1 - self.y.0) * (self.height - BOTTOM - TOP)
    }

    /// Lines across and numbers beside them, with what the axes show.
    pub(super) fn axes(&mut self, x_name: &str, y_name: &str, x_ticks: &[f64], y_ticks: &[f64]) {
        let (left, right, bottom) = (self.px(self.x.0), self.px(self.x.1), self.py(self.y.0));
        for tick in y_ticks {
            let y = self.py(*tick);
            let _ = write!(
                self.body,
                "<line class=grid x1={left:.1} x2={right:.1} y1={y:.1} y2={y:.1} /><text x={:.1} y={:.1} text-anchor=end>{}</text>",
                left - 6.0,
                y + 4.0,
                number(*tick)
            );
        }
        for tick in x_ticks {
            let x = self.px(*tick);
            let y = bottom + 16.0;
            let _ = write!(self.body, "<text x={x:.1} y={y:.1} text-anchor=middle>{}</text>", number(*tick));
        }
        let _ = write!(self.body, "<line class=axis x1={left:.1} x2={right:.1} y1={bottom:.1} y2={bottom:.1} />");
        let middle = (left + right) / 2.0;
        let _ = write!(
            self.body,
            "<text class=name x={middle:.1} y={:.1} text-anchor=middle>{}</text>",
            self.height - 6.0,
            escaped(x_name)
        );
        let _ = write!(
            self.body,
            "<text class=name x=12 y={0:.1} text-anchor=middle transform='rotate(-90 12 {0:.1})'>{1}</text>",
            (self.py(self.y.0) + self.py(self.y.1)) / 2.0,
            escaped(y_name)
        );
    }

    pub(super) fn line(&mut self, points: &[(f64, f64)], colour: &str) {
        let points = self.path(points);
        let colour = escaped(colour);
        let _ = write!(self.body, "<polyline fill=none stroke='{colour}' stroke-width=2 points='{points}' />");
    }

    /// The area between two lines over the same places.
    pub(super) fn band(&mut self, low: &[(f64, f64)], high: &[(f64, f64)], colour: &str) {
        let back: Vec<(f64, f64)> = high.iter().rev().copied().collect();
        let points = format!("{} {}", self.path(low), self.path(&back));
        let colour = escaped(colour);
        let _ = write!(self.body, "<polygon fill='{colour}' fill-opacity=0.18 points='{points}' />");
    }

    pub(super) fn bar(&mut self, x: (f64, f64), height: f64, colour: &str, title: &str) {
        let (left, right) = (self.px(x.0) + 0.5, self.px(x.1) - 0.5);
        let (top, bottom) = (self.py(height), self.py(self.y.0));
        let _ = write!(
            self.body,
            "<rect x={left:.1} y={top:.1} width={:.1} height={:.1} fill='{}'><title>{}</title></rect>",
            (right - left).max(0.5),
            (bottom - top).max(0.0),
            escaped(colour),
            escaped(title)
        );
    }

    pub(super) fn raw(&mut self, svg: &str) {
        self.body += svg;
    }

    fn path(&self, points: &[(f64, f64)]) -> String {
        let point = |(x, y): &(f64, f64)| format!("{:.1},{:.1}", self.px(*x), self.py(*y));
        points.iter().map(point).collect::<Vec<_>>().join(" ")
    }

    /// The finished drawing; `about` says what it shows to whoever cannot see it.
    pub(super) fn finish(self, about: &str) -> String {
        format!(
            "<svg viewBox='0 0 {:.0} {:.0}' role=img aria-label='{}'>{}</svg>",
            self.width,
            self.height,
            escaped(about),
            self.body
        )
    }
}

/// A few round numbers between two ends.
pub(super) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = (high - low).max(1e-9);
    let rough = span / 5.0;
    let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let first = libm::ceil(low / step - 1e-9) as i64;
    let last = libm::floor(high / step + 1e-9) as i64;
    (first..=last).map(|n| n as f64 * step).collect()
}

fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.to_owned() }
}

/// Text that is safe between tags and in attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(
            ticks(0.0, 1.0).iter().map(|t| number(*t)).collect::<Vec<_>>(),
            ["0", "0.2", "0.4", "0.6", "0.8", "1"]
        );
        assert_eq!(ticks(1.0, 12.0), [2.0 * 2.5, 10.0]);
        assert!(ticks(-3.2, 4.1).iter().all(|tick| (-3.2..=4.1).contains(tick)));
    }

    #[test]
    fn names_cannot_break_the_page() {
        assert_eq!(escaped("<a href='x'>&\""), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
    }
}
