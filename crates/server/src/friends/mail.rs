//! Mail through any SMTP server.

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use lettre::{Message, SmtpTransport, Transport};

/// The way to a mail server, and the name that mail goes out under.
#[derive(Clone)]
pub(crate) struct Post {
    transport: SmtpTransport,
    from: Mailbox,
}

/// A letter that the server writes.
pub(crate) struct Letter {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) text: String,
    /// The map of the moment, as a PNG.
    pub(crate) map: Option<Vec<u8>>,
    /// Where whoever wants no more of this goes.
    pub(crate) stop: String,
}

impl Post {
    /// The mail server at an address such as `smtps://name:word@mail.example.org`.
    pub(crate) fn new(address: &str, from: &str) -> Result<Self, String> {
        let transport = SmtpTransport::from_url(address).map_err(|error| format!("the mail server: {error}"))?;
        let from = from.parse().map_err(|error| format!("'{from}' is no sender of mail: {error}"))?;
        Ok(Self { transport: transport.build(), from })
    }

    /// Sends a letter. It waits for the mail server: call it where that may take its time.
    pub(crate) fn send(&self, letter: Letter) -> Result<(), String> {
        let message = self.written(letter)?;
        self.transport.send(&message).map(drop).map_err(|error| error.to_string())
    }

    fn written(&self, letter: Letter) -> Result<Message, String> {
        let to: Mailbox = letter.to.parse().map_err(|error| format!("'{}' is no address: {error}", letter.to))?;
        let stop = HeaderValue::new(HeaderName::new_from_ascii_str("List-Unsubscribe"), format!("<{}>", letter.stop));
        let builder = Message::builder().from(self.from.clone()).to(to).subject(letter.subject).raw_header(stop);
        let message = match letter.map {
            None => builder.header(ContentType::TEXT_PLAIN).body(letter.text),
            Some(map) => {
                let png = ContentType::parse("image/png").map_err(|error| error.to_string())?;
                let html = format!(
                    "<p><img src=\"cid:map\" alt=\"The map of the moment\" style=\"max-width:100%\"></p><p>{}</p>",
                    escaped(&letter.text).replace('\n', "<br>\n"),
                );
                let shown = MultiPart::related()
                    .singlepart(SinglePart::html(html))
                    .singlepart(Attachment::new_inline("map".into()).body(map, png));
                let both = MultiPart::alternative().singlepart(SinglePart::plain(letter.text)).multipart(shown);
                builder.multipart(both)
            }
        };
        message.map_err(|error| error.to_string())
    }
}

/// Whether this can be an address for mail, and nothing more than one.
pub(crate) fn is_address(text: &str) -> bool {
    text.len() <= 200 && text.parse::<lettre::Address>().is_ok()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_address() {
        assert!(is_address("anna@example.org"));
        for wrong in ["", "anna", "anna@example.org, ben@example.org", "a@b\r\nBcc: c@d"] {
            assert!(!is_address(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_letter_has_its_words_and_its_map() {
        let post = Post::new("smtp://127.0.0.1:2525", "Sabretache <post@example.org>").unwrap();
        let letter = |map| Letter {
            to: "anna@example.org".into(),
            subject: "Your turn".into(),
            text: "The ford <1>".into(),
            map,
            stop: "https://example.org/notices#1".into(),
        };
        let plain = String::from_utf8(post.written(letter(None)).unwrap().formatted()).unwrap();
        assert!(plain.contains("List-Unsubscribe: <https://example.org/notices#1>") && plain.contains("The ford <1>"));
        let shown = String::from_utf8(post.written(letter(Some(vec![1, 2, 3]))).unwrap().formatted()).unwrap();
        assert!(shown.contains("image/png") && shown.contains("The ford &lt;1&gt;") && shown.contains("cid:map"));
    }
}
