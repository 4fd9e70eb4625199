//! Sentences of a story.

/// A text in which names that begin with "The" stand within sentences: "obeys the order of the Duke of Wellington".
#[must_use]
pub fn in_a_sentence(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    for piece in text.split_inclusive(' ') {
        let begins = said.is_empty() || [". ", "! ", "? "].iter().any(|end| said.ends_with(end));
        said.push_str(if piece == "The " && !begins { "the " } else { piece });
    }
    said
}

#[cfg(test)]
mod tests {
    use super::in_a_sentence;

    #[test]
    fn a_name_that_begins_with_the_article_is_written_small_within_a_sentence_only() {
        assert_eq!(
            in_a_sentence("The Guards obey The Duke. The French wait"),
            "The Guards obey the Duke. The French wait"
        );
        assert_eq!(in_a_sentence("Then: The Guards? The end! The rest"), "Then: the Guards? The end! The rest");
    }
}
