use p256::ecdsa::VerifyingKey;
use p256::ecdsa::signature::Verifier;

use super::super::messages::SubscriptionKeys;
use super::*;

fn key(text: &str) -> SecretKey {
    SecretKey::from_slice(&URL_SAFE_NO_PAD.decode(text).unwrap()).unwrap()
}

/// The example of RFC 8291, appendix A.
#[test]
fn a_message_is_sealed_as_the_standard_s_own_example() {
    let theirs = key("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94");
    let ours = key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
    let salt = URL_SAFE_NO_PAD.decode("DGv6ra1nlYgDCS1FRnbzlw").unwrap().try_into().unwrap();
    let keys = SubscriptionKeys {
        p256dh: URL_SAFE_NO_PAD.encode(theirs.public_key().to_sec1_bytes()),
        auth: "BTBZMqHH6r4Tts7J_aSIgg".into(),
    };
    let subscription = Subscription { endpoint: "https://push.example/1".into(), keys };
    let sealed = sealed_with(&subscription, "When I grow up, I want to be a watermelon", &ours, salt).unwrap();
    let wanted = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8\
                  wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
    assert_eq!(URL_SAFE_NO_PAD.encode(sealed), wanted);
}

#[test]
fn the_server_s_keys_are_made_once_and_are_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let keys = Keys::of(folder.path(), "mailto:nobody@example.org", false).unwrap();
    assert_eq!(Keys::of(folder.path(), "", false).unwrap().public(), keys.public());
    let authorization = keys.authorization("https://push.example/send/1", 1_000).unwrap();
    let token = authorization.strip_prefix("vapid t=").unwrap().split(',').next().unwrap();
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let claims = URL_SAFE_NO_PAD.decode(signed.split('.').nth(1).unwrap()).unwrap();
    let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
    assert_eq!((&claims["aud"], &claims["exp"]), (&"https://push.example".into(), &44_200.into()));
    let signature = Signature::from_slice(&URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
    VerifyingKey::from(keys.secret.public_key()).verify(signed.as_bytes(), &signature).unwrap();
}

#[test]
fn nobody_makes_the_server_knock_at_its_own_doors() {
    for endpoint in
        ["http://push.example/", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1:8443/x", "https://a@b/", ""]
    {
        assert!(!is_public(endpoint), "{endpoint}");
    }
    assert!(is_public("https://93.184.216.34/push"));
    for address in
        ["0.1.2.3", "169.254.169.254", "100.64.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "fe80::1"]
    {
        assert!(!is_public_address(address.parse().unwrap()), "{address}");
    }
    for disguised in ["::ffff:127.0.0.1", "64:ff9b::10.0.0.1", "2002:7f00:1::", "::192.168.0.1", "fec0::1"] {
        assert!(!is_public_address(disguised.parse().unwrap()), "{disguised}");
    }
    assert!(is_public_address("2606:2800:220:1::1".parse().unwrap()));
}

#[test]
fn a_name_that_comes_to_mean_this_machine_is_not_called() {
    // It was looked up when the browser brought it; what counts is what it means when it is called.
    let keys = Keys::of(tempfile::tempdir().unwrap().path(), "", false).unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let key = URL_SAFE_NO_PAD.encode(random_key().unwrap().public_key().to_sec1_bytes());
    let keys_of = SubscriptionKeys { p256dh: key, auth: "BTBZMqHH6r4Tts7J_aSIgg".into() };
    let endpoint = format!("https://localhost:{}/push", listener.local_addr().unwrap().port());
    let sent = keys.send(&Subscription { endpoint, keys: keys_of }, "{}", 0);
    assert!(matches!(sent, Err(NotPushed::Failed(_))), "{sent:?}");
    assert!(listener.accept().is_err(), "nobody knocked");
}

#[test]
fn processes_that_start_together_have_one_key() {
    let folder = tempfile::tempdir().unwrap();
    let keys = || Keys::of(folder.path(), "", false).unwrap().public();
    let all: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(keys)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(all.iter().all(|key| *key == all[0]), "{all:?}");
    write_once(&folder.path().join(FILE), "another").unwrap();
    assert_eq!(keys(), all[0]);
}

#[test]
fn all_doors_of_a_house_are_one() {
    assert_eq!(house_of("https://a.b.push.example:8443/x?y"), "push.example");
    assert_eq!(house_of("https://1.2.3.4/x"), "1.2.3.4");
    assert_eq!(house_of("nonsense"), "");
}
