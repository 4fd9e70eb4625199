use super::*;

/// It is for this side to decide, after so many entries of which none was taken back.
fn turn(lines: usize, side: Side) -> Turn {
    Turn { lines, moment: lines, deciding: Some(side), owing: None }
}

fn subscription() -> Subscription {
    let keys = super::super::messages::SubscriptionKeys { p256dh: String::new(), auth: String::new() };
    Subscription { endpoint: "https://push.example/1".into(), keys }
}

#[test]
fn only_the_invitation_opens_the_seat() {
    let seat = secret::secret().unwrap();
    let invitation = Invitation::new(Side::B, &seat, "token").unwrap();
    assert!(invitation.is("token") && !invitation.is("another"));
    assert_eq!(invitation.open("token"), Some(seat.clone()));
    assert_ne!(invitation.open("another"), Some(seat.clone()));
    assert!(!serde_json::to_string(&invitation).unwrap().contains(&seat));
}

#[test]
fn words_are_bounded_and_numbered() {
    let mut page = Page::default();
    assert!(page.say(SeatName::A, "  ", 0).is_err());
    assert!(page.say(SeatName::A, &"x".repeat(501), 0).is_err());
    for n in 0..250 {
        page.say(SeatName::A, &format!("{n}\u{1b}"), n * 1_000).unwrap();
    }
    assert!(page.say(SeatName::A, "again", 249_001).is_err() && page.say(SeatName::B, "I", 249_001).is_ok());
    page.words.pop();
    assert_eq!((page.words.len(), page.words[0].n, page.words[198].text.as_str()), (MOST_WORDS - 1, 51, "249"));
}

#[test]
fn late_news_change_nothing_and_the_clock_waits_for_both() {
    let setting = super::super::messages::ClockSetting { bank: 100, increment: 0 };
    let mut page = Page { clock: Clock::new(setting), ..Page::default() };
    page.turn(turn(1, Side::A), 0);
    page.sit(Side::A, "Anna", 0);
    assert_eq!(page.now(50_000).clock.unwrap().left, [100_000; 2]);
    page.sit(Side::B, "Ben", 50_000);
    assert_eq!(page.now(60_000).clock.unwrap().left, [90_000, 100_000]);
    assert!(page.turn(turn(3, Side::B), 60_000));
    assert!(!page.turn(turn(2, Side::A), 70_000));
    assert_eq!((page.deciding, page.since), (Some(Side::B), 60_000));
}

#[test]
fn a_side_is_told_once_and_not_while_it_looks() {
    let mut page = Page::default();
    page.turn(turn(1, Side::B), 1_000_000);
    assert_eq!(page.notice_due(), None, "it wants to be told nothing");
    page.subscribe(Side::B, subscription());
    assert_eq!(page.notice_due(), Some((Side::B, 1_000_000)));
    page.look(Side::B, &Look::default(), 990_000);
    assert_eq!(page.notice_due(), Some((Side::B, 990_000 + JUST_LOOKED)), "it has just looked");
    let (telling, _) = page.begin_telling(Side::B, 1_200_000);
    page.end_telling(Side::B, telling, true);
    assert_eq!(page.notice_due(), None, "one until it is opened");
    page.look(Side::B, &Look::default(), 2_000_000);
    assert!(page.notice_due().is_some());
}

#[test]
fn whoever_takes_back_and_decides_again_makes_no_further_notices() {
    let mut page = Page::default();
    page.subscribe(Side::B, subscription());
    page.turn(turn(1, Side::A), 0);
    page.turn(turn(2, Side::B), 1_000_000);
    let (telling, _) = page.begin_telling(Side::B, 1_200_000);
    page.end_telling(Side::B, telling, true);
    for n in 0..10 {
        page.turn(Turn { lines: 3 + 2 * n, moment: 1, deciding: Some(Side::A), owing: None }, 1_300_000);
        page.turn(Turn { lines: 4 + 2 * n, moment: 2, deciding: Some(Side::B), owing: None }, 1_300_000);
        assert_eq!(page.notice_due(), None, "one a battle until it is opened");
    }
    // When B has decided and it comes to him again, that is news.
    page.turn(Turn { lines: 30, moment: 3, deciding: Some(Side::A), owing: None }, 1_400_000);
    page.turn(Turn { lines: 31, moment: 4, deciding: Some(Side::B), owing: None }, 1_500_000);
    assert_eq!(page.notice_due(), Some((Side::B, 1_500_000)));
}

#[test]
fn a_notice_that_did_not_arrive_is_sent_again_and_not_for_ever() {
    let mut page = Page::default();
    page.subscribe(Side::B, subscription());
    page.turn(turn(1, Side::B), 0);
    let mut at = 1_000_000;
    for tries in 1..=MOST_TRIES {
        let (telling, warns) = page.begin_telling(Side::B, at);
        assert_eq!((telling.tries, warns), (tries, false));
        // A process that was killed says nothing; one whose mail server did not answer says so.
        if tries % 2 == 0 || tries == MOST_TRIES {
            page.end_telling(Side::B, telling, false);
        }
        let due = page.notice_due().map(|(_, due)| due);
        assert_eq!(due, (tries < MOST_TRIES).then(|| at + (60_000 << tries)), "after {tries}");
        at = due.unwrap_or(at);
    }
    // What runs out is told all the same, and what was told late about something that is over changes nothing.
    page.sitter(Side::B).warn = true;
    let (telling, warns) = page.begin_telling(Side::B, at);
    assert!(warns);
    page.look(Side::B, &Look::default(), at);
    page.end_telling(Side::B, telling, true);
    assert!(!page.sitters[1].told, "he has looked since");
}

#[test]
fn a_look_that_comes_in_after_its_page_was_left_is_late() {
    let mut page = Page::default();
    let look = |page: &str, n, away| Look { page: Some(page.into()), n, away, ..Look::default() };
    page.look(Side::B, &look("one", 3, true), 1_000);
    page.look(Side::B, &look("one", 2, false), 1_001);
    assert!(page.sitters[1].away, "sent before the page was left");
    page.look(Side::B, &look("another", 1, false), 1_002);
    assert!(!page.sitters[1].away, "another page of his is open");
    page.look(Side::B, &look("one", 4, true), 1_003);
    page.look(Side::B, &look("one", 5, false), 1_004);
    assert!(!page.sitters[1].away, "he has come back to it");
}

#[test]
fn agreed_dice_wait_on_the_time_of_the_side_that_owes_its_link() {
    let setting = super::super::messages::ClockSetting { bank: 1_000, increment: 100 };
    let mut page = Page { clock: Clock::new(setting), ..Page::default() };
    page.turn(turn(1, Side::A), 0);
    page.sit(Side::A, "Anna", 0);
    page.sit(Side::B, "Ben", 0);
    page.turn(Turn { lines: 1, moment: 1, deciding: Some(Side::A), owing: Some(Side::B) }, 50_000);
    assert_eq!((page.deciding, page.now(90_000).clock.unwrap().left), (Some(Side::B), [950_000, 960_000]));
    // The dice fall; it is Anna who has decided.
    page.turn(turn(2, Side::B), 90_000);
    assert_eq!(page.now(90_000).clock.unwrap().left, [1_000_000, 960_000]);
    page.turn(Turn { lines: 3, moment: 3, deciding: Some(Side::A), owing: None }, 95_000);
    assert_eq!(page.now(95_000).clock.unwrap().left, [1_000_000, 1_000_000]);
}
