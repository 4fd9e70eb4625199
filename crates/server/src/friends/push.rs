//! Web Push: a message that only one browser can read (RFC 8291), signed by this server (RFC 8292).
//!
//! The keys are made at the first start and kept in the data folder. No service is named anywhere: a browser brings the
//! address of its own.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Nonce};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hkdf::Hkdf;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::{PublicKey, SecretKey};
use sha2::Sha256;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

use super::messages::Subscription;

/// The file of the keys in the data folder.
const FILE: &str = "vapid.key";
/// The size of the only record of a message.
const RECORD: u32 = 4096;
/// The longest text of a notice in bytes.
const LONGEST: usize = 3_000;
/// How long a push service may keep a notice, and how long it may take to answer.
const KEPT_FOR: u32 = 3 * 24 * 3600;
const WITHIN: Duration = Duration::from_secs(10);

/// Why a notice did not go out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotPushed {
    /// The browser no longer wants any.
    #[error("the subscription has ended")]
    Gone,
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

/// The keys of this server.
#[derive(Clone)]
pub(crate) struct Keys {
    secret: SecretKey,
    /// Whom a push service writes to when something is wrong.
    contact: String,
    /// Whether addresses of this machine and of private networks are let pass: for tests alone.
    pub(crate) anywhere: bool,
}

impl Keys {
    /// The keys in this folder; they are made if they are not there.
    pub(crate) fn of(folder: &Path, contact: &str, anywhere: bool) -> std::io::Result<Self> {
        let file = folder.join(FILE);
        let wrong = |why: String| std::io::Error::new(std::io::ErrorKind::InvalidData, format!("{FILE}: {why}"));
        let text = match std::fs::read_to_string(&file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let secret = random_key().map_err(|error| wrong(error.to_string()))?;
                std::fs::create_dir_all(folder)?;
                write_once(&file, &hex::encode(secret.to_bytes()))?;
                // Another process that starts at the same time may have been first.
                std::fs::read_to_string(&file)?
            }
            read => read?,
        };
        let bytes = hex::decode(text.trim()).map_err(|error| wrong(error.to_string()))?;
        let secret = SecretKey::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { secret, contact: contact.to_owned(), anywhere })
    }

    /// The key that a browser subscribes with.
    pub(crate) fn public(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.secret.public_key().to_sec1_bytes())
    }

    /// What proves to a push service that a message comes from here.
    fn authorization(&self, endpoint: &str, now: i64) -> Option<String> {
        let (scheme, rest) = endpoint.split_once("://")?;
        let audience = format!("{scheme}://{}", rest.split('/').next()?);
        let head = URL_SAFE_NO_PAD.encode(br#"{"typ":"JWT","alg":"ES256"}"#);
        let claims = serde_json::json!({ "aud": audience, "exp": now + 12 * 3600, "sub": self.contact });
        let signed = format!("{head}.{}", URL_SAFE_NO_PAD.encode(claims.to_string()));
        let signature: Signature = SigningKey::from(&self.secret).sign(signed.as_bytes());
        Some(format!("vapid t={signed}.{}, k={}", URL_SAFE_NO_PAD.encode(signature.to_bytes()), self.public()))
    }

    /// Sends a notice to a browser. It waits for the push service: call it where that may take its time.
    pub(crate) fn send(&self, subscription: &Subscription, text: &str, now: i64) -> Result<(), NotPushed> {
        let failed = |why: String| NotPushed::Failed(why);
        if !self.anywhere && !is_https(&subscription.endpoint) {
            return Err(failed("a push service is at a public https address".into()));
        }
        let body = sealed(subscription, text).ok_or_else(|| failed("the keys of the browser are no keys".into()))?;
        let authorization =
            self.authorization(&subscription.endpoint, now).ok_or_else(|| failed("no address".into()))?;
        let config =
            ureq::Agent::config_builder().timeout_global(Some(WITHIN)).max_redirects(0).http_status_as_error(false);
        let public = PublicOnly { names: DefaultResolver::default(), anywhere: self.anywhere };
        let agent = ureq::Agent::with_parts(config.build(), DefaultConnector::default(), public);
        let answer = agent
            .post(&subscription.endpoint)
            .header("Content-Type", "application/octet-stream")
            .header("Content-Encoding", "aes128gcm")
            .header("TTL", KEPT_FOR.to_string())
            .header("Urgency", "normal")
            .header("Authorization", authorization)
            .send(&body[..])
            .map_err(|error| failed(error.to_string()))?;
        match answer.status().as_u16() {
            200..=299 => Ok(()),
            404 | 410 => Err(NotPushed::Gone),
            other => Err(failed(format!("the push service answers {other}"))),
        }
    }
}

/// A message as only this browser can read it.
fn sealed(subscription: &Subscription, text: &str) -> Option<Vec<u8>> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).ok()?;
    sealed_with(subscription, text, &random_key().ok()?, salt)
}

fn sealed_with(subscription: &Subscription, text: &str, own: &SecretKey, salt: [u8; 16]) -> Option<Vec<u8>> {
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
    let theirs = PublicKey::from_sec1_bytes(&decode(&subscription.keys.p256dh)?).ok()?;
    let auth = decode(&subscription.keys.auth)?;
    let text = text.as_bytes().get(..text.len().min(LONGEST))?;
    let shared = p256::ecdh::diffie_hellman(own.to_nonzero_scalar(), theirs.as_affine());
    let (theirs, ours) = (theirs.to_sec1_point(false), own.public_key().to_sec1_point(false));
    let mut input = [0; 32];
    let info = [b"WebPush: info\0", theirs.as_bytes(), ours.as_bytes()].concat();
    Hkdf::<Sha256>::new(Some(&auth), shared.raw_secret_bytes()).expand(&info, &mut input).ok()?;
    let derived = Hkdf::<Sha256>::new(Some(&salt), &input);
    let (mut key, mut nonce) = ([0; 16], [0; 12]);
    derived.expand(b"Content-Encoding: aes128gcm\0", &mut key).ok()?;
    derived.expand(b"Content-Encoding: nonce\0", &mut nonce).ok()?;
    // The last record of a message ends in a 2.
    let plain = [text, &[2]].concat();
    let cipher = Aes128Gcm::new(&key.into()).encrypt(&Nonce::from(nonce), plain.as_slice()).ok()?;
    let ours = ours.as_bytes();
    Some([&salt[..], &RECORD.to_be_bytes(), &[u8::try_from(ours.len()).ok()?], ours, &cipher].concat())
}

fn random_key() -> Result<SecretKey, getrandom::Error> {
    loop {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        // All but a few of all numbers are keys.
        if let Ok(key) = SecretKey::from_slice(&bytes) {
            return Ok(key);
        }
    }
}

/// Finds the addresses of names, and none within this server's own network. It is asked when the connection is made: what a
/// name meant when a browser brought it says nothing about what it means now.
#[derive(Debug)]
struct PublicOnly {
    names: DefaultResolver,
    anywhere: bool,
}

impl Resolver for PublicOnly {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.names.resolve(uri, config, timeout)?;
        let mut public = self.empty();
        for address in found.iter().filter(|address| self.anywhere || is_public_address(address.ip())) {
            public.push(*address);
        }
        if public.is_empty() { Err(ureq::Error::HostNotFound) } else { Ok(public) }
    }
}

/// The host of a push service, by which its notices are counted: all names below `push.example` are one.
pub(crate) fn house_of(endpoint: &str) -> String {
    let place = endpoint.split("://").nth(1).unwrap_or_default().split(['/', '?', '#']).next().unwrap_or_default();
    let name = place.rsplit_once(':').map_or(place, |(name, _)| name);
    let mut labels: Vec<&str> = name.rsplit('.').take(2).collect();
    labels.reverse();
    if name.parse::<IpAddr>().is_ok() { name.to_owned() } else { labels.join(".") }
}

fn is_https(endpoint: &str) -> bool {
    let Some(rest) = endpoint.strip_prefix("https://") else { return false };
    let place = rest.split(['/', '?', '#']).next().unwrap_or_default();
    !place.is_empty() && !place.contains('@') && endpoint.len() <= 1_000
}

/// Whether an address is one that a push service may have: nobody makes this server knock at doors within its own network.
/// It waits for names to be found: call it where that may take its time.
pub(crate) fn is_public(endpoint: &str) -> bool {
    if !is_https(endpoint) {
        return false;
    }
    let place = endpoint.split('/').nth(2).unwrap_or_default().split(['?', '#']).next().unwrap_or_default();
    let with_port = if place.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|b| b.is_ascii_digit())) {
        place.to_owned()
    } else {
        format!("{place}:443")
    };
    let Ok(mut found) = with_port.to_socket_addrs() else { return false };
    found.all(|address| is_public_address(address.ip()))
}

fn is_public_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            let shared = a == 100 && (64..128).contains(&b);
            let reserved = a == 0 || a >= 240 || (a, b, c) == (192, 0, 0) || (a == 198 && b & 0xfe == 18);
            !(v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_multicast() || shared || reserved)
        }
        IpAddr::V6(v6) => match inner(v6) {
            Some(v4) => is_public_address(v4.into()),
            None => {
                let site = v6.segments()[0] & 0xffc0 == 0xfec0;
                !(v6.is_loopback()
                    || v6.is_unspecified()
                    || v6.is_unique_local()
                    || v6.is_unicast_link_local()
                    || v6.is_multicast()
                    || site)
            }
        },
    }
}

/// The address of the older kind that one of the newer stands for, where it does: mapped, translated (64:ff9b::) or by way of
/// 2002::.
fn inner(v6: Ipv6Addr) -> Option<Ipv4Addr> {
    let s = v6.segments();
    let four = |high: u16, low: u16| Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
    match s {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(four(high, low)),
        [0x2002, high, low, ..] => Some(four(high, low)),
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => Some(four(high, low)),
        _ => v6.to_ipv4_mapped(),
    }
}

/// A file that is its owner's alone, with all of its text or not at all; what is there already stays.
fn write_once(file: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    let name = crate::secret::name().map_err(std::io::Error::other)?;
    let own = file.with_extension(format!("{name}.new"));
    let mut options = std::fs::OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&own)?.write_all(text.as_bytes())?;
    let kept = std::fs::hard_link(&own, file);
    std::fs::remove_file(&own)?;
    match kept {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests;
