//! The nation of troops of whom a scenario gives only names and coats.

/// Parts of names, and whose they are. The first that fits counts: allies before those in whose army they stood.
const STEMS: [(&str, &str); 46] = [
    ("german legion", "hanover"),
    ("kgl", "hanover"),
    ("hanover", "hanover"),
    ("brunswick", "hanover"),
    ("corsic", "corsica"),
    ("sicil", "corsica"),
    ("portug", "portugal"),
    ("caçador", "portugal"),
    ("cacador", "portugal"),
    ("swiss", "switzerland"),
    ("suisse", "switzerland"),
    ("polish", "poland"),
    ("polonais", "poland"),
    ("poles", "poland"),
    ("vistul", "poland"),
    ("ital", "italy"),
    ("bavar", "bavaria"),
    ("hess", "hesse"),
    ("danish", "denmark"),
    ("danes", "denmark"),
    ("dutch", "netherlands"),
    ("netherland", "netherlands"),
    ("imperial", "empire"),
    ("empire", "empire"),
    ("austri", "austria"),
    ("prussi", "prussia"),
    ("russi", "russia"),
    ("grenadersk", "russia"),
    ("spanish", "spain"),
    ("spain", "spain"),
    ("spaniard", "spain"),
    ("french", "france"),
    ("france", "france"),
    ("ligne", "france"),
    ("léger", "france"),
    ("leger", "france"),
    ("fusiliers-grenadiers", "france"),
    ("chasseurs", "france"),
    ("voltigeurs", "france"),
    ("royal bavière", "bavaria"),
    ("british", "britain"),
    ("english", "britain"),
    ("scots", "britain"),
    ("highland", "britain"),
    ("britain", "britain"),
    ("foot guards", "britain"),
];

/// The first nation that any of these words names, the words that say most first.
pub(super) fn named<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<&'static str> {
    words.into_iter().find_map(|word| {
        let word = word.to_lowercase();
        STEMS.iter().find(|(stem, _)| word.contains(stem)).map(|(_, nation)| *nation)
    })
}

/// Of Brigades and Batteries' words.
pub(super) fn of_batteries(word: &str) -> &'static str {
    match word {
        "austria" => "austria",
        "france" => "france",
        "early_prussia" | "later_prussia" => "prussia",
        "russia" => "russia",
        "spain" => "spain",
        _ => "britain",
    }
}

/// Where nothing is known: something has to stand there, and the notes say that it is a guess.
pub(super) fn guessed(side: usize) -> &'static str {
    ["britain", "france"][side.min(1)]
}
