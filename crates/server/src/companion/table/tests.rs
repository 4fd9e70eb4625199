use super::*;
use serde_json::json;

fn list(more: &[(&str, Happened)]) -> Vec<TableLine> {
    let units = json!([{ "key": "red-1", "side": 0, "command": "Left" }, { "key": "blue-1", "side": 1, "command": "Right" }, { "key": "blue-2", "side": 1, "command": "Reserve" }]);
    let player = TablePlayer { side: Side::B, name: "Anna".into(), commands: vec!["Right".into()] };
    let began = Happened::Began { battle: json!({ "units": units }), players: vec![player] };
    let all = std::iter::once(("umpire", began)).chain(more.iter().cloned());
    all.enumerate().map(|(n, (by, happened))| TableLine { n: n as u32, by: by.to_owned(), happened }).collect()
}

fn reader(words: &[&str], lines: &[TableLine]) -> Reader {
    Reader::of(&Seats::of(words.iter().copied()), lines)
}

#[test]
fn a_letter_is_read_by_its_addressee_once_it_has_arrived_and_by_no_enemy() {
    let sent = Happened::Sent { to: "B".into(), text: "Come to my left".into(), arrives: 2 };
    let before = list(&[("B", sent.clone()), ("umpire", Happened::Went { turn: 1, step: 0 })]);
    let anna = PlayerSeat { side: Side::B, name: "Anna".into() }.word();
    let read =
        |lines: &[TableLine], who: &str| reader(&[who], lines).visible(lines).iter().any(|line| line.happened == sent);
    assert!(!read(&before, &anna) && read(&before, "B") && read(&before, "umpire"));
    let after = list(&[("B", sent.clone()), ("umpire", Happened::Went { turn: 2, step: 0 })]);
    assert!(read(&after, &anna) && !read(&after, "A"));
}

#[test]
fn a_hidden_unit_is_not_told_to_the_enemy_until_it_shows_itself() {
    let hidden = |hidden| ("B", Happened::Hidden { unit: "blue-2".into(), hidden });
    let marked = ("B", Happened::Marked { unit: "blue-2".into(), mark: "kills".into(), to: 1 });
    let lines = list(&[hidden(true), marked.clone()]);
    let told = |who: &str, lines: &[TableLine]| serde_json::to_string(&reader(&[who], lines).visible(lines)).unwrap();
    assert!(!told("A", &lines).contains("blue-2"));
    assert!(told("B", &lines).contains("blue-2") && told("umpire", &lines).contains("blue-2"));
    assert!(told("A", &list(&[hidden(true), marked, hidden(false)])).contains("blue-2"));
}

#[test]
fn a_player_marks_his_own_commands_and_the_umpire_everything() {
    let lines = list(&[]);
    let mark = |unit: &str| Happened::Marked { unit: unit.into(), mark: "kills".into(), to: 1 };
    let anna = PlayerSeat { side: Side::B, name: "Anna".into() }.word();
    let may = |who: &str, happened: &Happened| reader(&[who], &lines).may_write(&lines, happened).is_ok();
    assert!(may(&anna, &mark("blue-1")) && !may(&anna, &mark("blue-2")) && !may(&anna, &mark("red-1")));
    assert!(may("B", &mark("blue-2")) && !may("B", &mark("red-1")) && !may("spectator", &mark("red-1")));
    assert!(may("umpire", &mark("red-1")) && !may("umpire", &mark("green-1")));
    assert!(!may("A", &Happened::Ruled { text: "Mine".into() }));
    assert!(may("umpire", &Happened::Ruled { text: "In his flank zone".into() }));
}
