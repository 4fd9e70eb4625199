//! Notices to who does not look: Web Push as a browser reads it, and mail through a real mail server.

use std::process::Stdio;
use std::time::Duration;

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Nonce};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hkdf::Hkdf;
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::{PublicKey, SecretKey};
use serde_json::{Value as Json, json};
use sha2::Sha256;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::time::timeout;

use crate::common::Server;
use crate::friends::{LONG, beside, make, on_the_page, post, sit, until};

#[tokio::test]
async fn a_push_service_that_never_answers_holds_up_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let anywhere = [("SABRETACHE_PUSH_ANYWHERE", "1")];
    let server = Server::start_with(folder.path(), &anywhere).await;
    // It takes connections, and that is all it does.
    let deaf = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let service = TcpListener::bind("127.0.0.2:0").await.unwrap();
    let mut battles = Vec::new();
    for n in 0..8 {
        let friends = make(&server, Json::Null).await;
        let blue = sit(&server, &friends, "Ben").await;
        let place = if n < 7 { deaf.local_addr().unwrap() } else { service.local_addr().unwrap() };
        for door in 0..if n < 7 { 5 } else { 1 } {
            let endpoint = format!("http://{place}/push/{n}/{door}");
            let wish = json!({ "type": "push", "subscription": Browser::new().subscription(&endpoint) });
            let wished = post(&server, &format!("/api/battles/{}/wishes", friends.id), &blue, wish).await;
            assert_eq!(wished.0, 200, "{}", wished.1);
        }
        battles.push(friends);
    }
    server.kill().await;
    for friends in &battles {
        look_long_ago(folder.path(), &friends.id).await;
    }
    let server = Server::start_with(folder.path(), &anywhere).await;
    for friends in &battles {
        let mut red = server.join(&friends.id, &[&friends.red]).await.unwrap();
        red.choose("end turn").await.unwrap();
    }
    // Seven battles with five doors each, ten seconds a door: the eighth would wait for minutes.
    let (head, _) = pushed(&service).await;
    assert!(head.starts_with("POST /push/7/0"), "{head}");
}

/// A browser's side of Web Push: its keys, and what it reads out of what its push service was given.
struct Browser {
    secret: SecretKey,
    auth: [u8; 16],
}

impl Browser {
    fn new() -> Self {
        Self { secret: SecretKey::from_slice(&[7; 32]).unwrap(), auth: [9; 16] }
    }

    fn subscription(&self, endpoint: &str) -> Json {
        let key = URL_SAFE_NO_PAD.encode(self.secret.public_key().to_sec1_bytes());
        json!({ "endpoint": endpoint, "keys": { "p256dh": key, "auth": URL_SAFE_NO_PAD.encode(self.auth) } })
    }

    fn read(&self, body: &[u8]) -> Json {
        let (salt, rest) = body.split_at(16);
        let length = usize::from(rest[4]);
        let (theirs, cipher) = rest[5..].split_at(length);
        let point = PublicKey::from_sec1_bytes(theirs).unwrap();
        let shared = p256::ecdh::diffie_hellman(self.secret.to_nonzero_scalar(), point.as_affine());
        let ours = self.secret.public_key().to_sec1_point(false);
        let info = [b"WebPush: info\0", ours.as_bytes(), theirs].concat();
        let mut input = [0; 32];
        Hkdf::<Sha256>::new(Some(&self.auth), shared.raw_secret_bytes()).expand(&info, &mut input).unwrap();
        let derived = Hkdf::<Sha256>::new(Some(salt), &input);
        let (mut key, mut nonce) = ([0; 16], [0; 12]);
        derived.expand(b"Content-Encoding: aes128gcm\0", &mut key).unwrap();
        derived.expand(b"Content-Encoding: nonce\0", &mut nonce).unwrap();
        let plain = Aes128Gcm::new(&key.into()).decrypt(&Nonce::from(nonce), cipher).unwrap();
        serde_json::from_slice(plain.strip_suffix(&[2]).unwrap()).unwrap()
    }
}

/// Takes one message as a push service does: its head and its body.
async fn pushed(listener: &TcpListener) -> (String, Vec<u8>) {
    let (mut stream, _) = timeout(LONG, listener.accept()).await.expect("something is pushed").unwrap();
    let mut all = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let n = stream.read(&mut piece).await.unwrap();
        all.extend_from_slice(&piece[..n]);
        let Some(end) = all.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&all[..end]).to_lowercase();
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().trim().parse::<usize>();
        if all.len() >= end + 4 + length.unwrap() {
            stream.write_all(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await.unwrap();
            return (String::from_utf8_lossy(&all[..end]).into_owned(), all[end + 4..].to_vec());
        }
    }
}

#[tokio::test]
async fn a_browser_is_told_of_its_turn_once_in_words_that_only_it_can_read() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &[("SABRETACHE_PUSH_ANYWHERE", "1")]).await;
    let service = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let friends = make(&server, Json::Null).await;
    let blue = sit(&server, &friends, "Ben").await;
    let browser = Browser::new();
    let endpoint = format!("http://{}/push/1", service.local_addr().unwrap());
    let wish = json!({ "type": "push", "subscription": browser.subscription(&endpoint) });
    let (status, now) = post(&server, &format!("/api/battles/{}/wishes", friends.id), &blue, wish).await;
    assert_eq!((status, &now["browsers"]), (200, &json!(1)), "{now}");
    // Ben has looked long ago.
    server.kill().await;
    look_long_ago(folder.path(), &friends.id).await;
    let server = Server::start_with(folder.path(), &[("SABRETACHE_PUSH_ANYWHERE", "1")]).await;
    let mut red = server.join(&friends.id, &[&friends.red]).await.unwrap();
    red.choose("end turn").await.unwrap();
    let (head, body) = pushed(&service).await;
    assert!(head.starts_with("POST /push/1") && head.to_lowercase().contains("authorization: vapid t="), "{head}");
    let told = browser.read(&body);
    assert_eq!(told["battle"], friends.id.as_str(), "{told}");
    assert!(told["title"].as_str().unwrap().contains("it is for you to decide"));
    // One a battle until it is opened.
    assert!(timeout(Duration::from_secs(4), service.accept()).await.is_err());
}

/// Everybody last looked long ago.
async fn look_long_ago(folder: &std::path::Path, id: &str) {
    on_the_page(folder, id, |page| (0..2).for_each(|n| page["sitters"][n]["seen"] = json!(1))).await;
}

/// All the mail that has come, as it lies in the folder of a real mail server.
fn mail_in(folder: &std::path::Path) -> Vec<String> {
    let new = std::fs::read_dir(folder.join("new")).into_iter().flatten();
    new.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path()).ok()).collect()
}

#[tokio::test]
async fn mail_comes_with_the_map_after_its_owner_has_confirmed_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let box_of = tempfile::tempdir().unwrap();
    let mails = box_of.path().join("mail");
    let place = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let _post_office = Command::new("aiosmtpd")
        .args(["-n", "-l", &place.to_string(), "-c", "aiosmtpd.handlers.Mailbox"])
        .arg(&mails)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("`make smtp` installs a mail server");
    until(async || tokio::net::TcpStream::connect(place).await.ok()).await;
    let smtp = format!("smtp://{place}");
    let environment = [("SABRETACHE_SMTP", smtp.as_str()), ("SABRETACHE_URL", "https://battles.example")];
    let server = Server::start_with(folder.path(), &environment).await;
    let friends = make(&server, Json::Null).await;
    let blue = sit(&server, &friends, "Ben").await;
    let path = format!("/api/battles/{}/wishes", friends.id);
    for wrong in ["ben", "ben@example.org, anna@example.org"] {
        let wish = json!({ "type": "mail", "address": wrong });
        assert_eq!(post(&server, &path, &blue, wish).await.0, 422, "{wrong}");
    }
    let wish = json!({ "type": "mail", "address": "ben@example.org" });
    let (_, now) = post(&server, &path, &blue, wish).await;
    assert_eq!((&now["mail"], &now["confirmed"]), (&json!("ben@example.org"), &json!(false)));
    let asked = until(async || mail_in(&mails).into_iter().next()).await.replace("=\r\n", "").replace("=\n", "");
    let link = format!("https://battles.example/notices/{}#", friends.id);
    let token: String = asked.split(&link).nth(1).unwrap().chars().take_while(char::is_ascii_hexdigit).collect();
    let confirm = format!("/api/battles/{}/notices", friends.id);
    assert_eq!(post(&server, &confirm, "", json!({ "token": "0", "wanted": true })).await.0, 403);
    assert_eq!(post(&server, &confirm, "", json!({ "token": token, "wanted": true })).await.0, 204);
    server.kill().await;
    look_long_ago(folder.path(), &friends.id).await;
    let server = Server::start_with(folder.path(), &environment).await;
    let mut red = server.join(&friends.id, &[&friends.red]).await.unwrap();
    red.choose("end turn").await.unwrap();
    let turn = until(async || mail_in(&mails).into_iter().find(|mail| mail.contains("image/png"))).await;
    assert!(turn.contains("it is for you to decide") && turn.contains("cid:map"), "{turn}");
    assert!(turn.contains("List-Unsubscribe:") && turn.contains("<https://battles.example/notices/"), "{turn}");
    // Whoever wants no more of it is believed.
    assert_eq!(post(&server, &confirm, "", json!({ "token": token, "wanted": false })).await.0, 204);
    assert_eq!(beside(&server, &friends.id, &blue).await["notices"]["mail"], Json::Null);
}
