//! What is fuzzed is damaged by its bytes: real files and messages, with a few words of them cut, doubled, swapped or
//! replaced by what is known to hurt. So a fuzzer's bytes reach the rules and not only the parser.

/// What often hurts: numbers at the edge of what a machine holds, empty things, things of another kind, control characters.
const HURTFUL: &[&str] = &[
    "0",
    "-1",
    "1",
    "2147483648",
    "-9223372036854775808",
    "18446744073709551615",
    "1e308",
    "-1e-9",
    "nan",
    "inf",
    "0.1",
    "[]",
    "{}",
    "\"\"",
    "true",
    "null",
    "[[[[[[]]]]]]",
    "\"\\u0000\"",
    "\"\\u001b[31m\"",
    "\"ü\"",
    "\n\n",
    "\"r1\"",
    "#",
];

/// A stream of bytes that ends in zeros.
pub(crate) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> usize {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                usize::from(*first)
            }
            None => 0,
        }
    }

    /// A number below this one.
    pub(crate) fn below(&mut self, below: usize) -> usize {
        (self.byte() * 65_536 + self.byte() * 256 + self.byte()) % below.max(1)
    }
}

/// The words of a text: runs of letters and digits, and everything else one by one.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut within = false;
    for (at, letter) in text.char_indices() {
        let is_word = letter.is_alphanumeric() || ".-_".contains(letter);
        if (!is_word || !within) && at > start {
            words.push(&text[start..at]);
            start = at;
        }
        within = is_word;
    }
    words.push(&text[start..]);
    words
}

/// The text with one to four of its words damaged.
pub(crate) fn damaged(text: &str, other: &str, bytes: &mut Bytes<'_>) -> String {
    let mut words = words(text);
    let strange = self::words(other);
    for _ in 0..=bytes.below(4) {
        let at = bytes.below(words.len());
        match bytes.below(7) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at]),
            2 => {
                let with = bytes.below(words.len());
                words.swap(at, with);
            }
            3 => words[at] = strange[bytes.below(strange.len())],
            4 => words.truncate(at.max(1)),
            5 => words[at] = words[bytes.below(words.len())],
            _ => words[at] = HURTFUL[bytes.below(HURTFUL.len())],
        }
        if words.is_empty() {
            words.push("");
        }
    }
    words.concat()
}
