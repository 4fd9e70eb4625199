//! What is wrong with a scenario is told in one pass, whatever layer it is in.

use serde_json::Value as Json;

use crate::common::{FORD, json_lines, path, run};

const MAIDA: &str = include_str!("../../../../scenarios/huzzah/maida.toml");

fn findings(text: &str) -> Vec<Json> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("battle.toml");
    std::fs::write(&file, text).unwrap();
    json_lines(&run(&["scenario", "check", path(&file), "--json"]).out)[0]["findings"].as_array().unwrap().clone()
}

fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(MAIDA.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

#[test]
fn a_word_a_name_a_place_and_a_kind_of_ground_are_told_together() {
    let text = changed(&[
        // The shape of the file, the names in it, the ground, and where units stand.
        ("quality = \"green\"", "quality = \"gren\""),
        ("command = \"cole\", contingent", "command = \"coles\", contingent"),
        ("kind = \"wood\"", "kind = \"wod\""),
        ("at = [44, 89]", "at = [44, 73]"),
        ("inspirational = true", "inspiratoinal = true"),
    ]);
    let told = findings(&text);
    let errors: Vec<&Json> = told.iter().filter(|one| one["severity"] == "error").collect();
    let said = |wanted: &str| errors.iter().filter(|one| one.to_string().contains(wanted)).count();
    assert_eq!(said("did you mean \\\"green\\\"?"), 1, "{errors:#?}");
    assert_eq!(said("did you mean `inspirational`?"), 1, "{errors:#?}");
    assert_eq!(said("did you mean \\\"cole\\\"?"), 1, "{errors:#?}");
    assert_eq!(said("did you mean \\\"wood\\\"?"), 1, "{errors:#?}");
    assert_eq!(said("lies on top of"), 1, "{errors:#?}");
    assert_eq!(errors.len(), 5, "and nothing that only follows from them: {errors:#?}");
    // Watteville's front is two centimetres behind that of the 58th and beside it nowhere: the stands are deeper than that.
    let deep = errors.iter().find(|one| one["message"].as_str().unwrap().contains("lies on top of")).unwrap();
    assert!(deep["message"].as_str().unwrap().contains(", by "), "{deep}");
    assert!(errors.iter().all(|one| one["line"].is_u64()), "{errors:#?}");
    let mended = errors.iter().filter(|one| one["mend"].is_array()).count();
    assert_eq!(mended, 4, "all but the overlap have one remedy: {errors:#?}");
}

#[test]
fn what_is_wrong_with_a_thing_that_was_left_out_is_not_told_of_others() {
    // Two officers for one command: that is all, and not that units have lost their brigade.
    let text = changed(&[("command = \"oswald\", ability", "command = \"cole\", ability")]);
    let told = findings(&text);
    let errors: Vec<&Json> = told.iter().filter(|one| one["severity"] == "error").collect();
    assert!(errors.iter().all(|one| one.to_string().contains("officer")), "{errors:#?}");
}

#[test]
fn an_id_that_cannot_stay_hides_nothing_else_of_its_unit() {
    // A name of two words and a name given twice, each on a unit that has something else wrong with it as well.
    let text = changed(&[
        ("id = \"br-58\"", "id = \"br 58\""),
        ("at = [44, 71]", "at = [74, 51]"),
        ("id = \"br-27\"", "id = \"grenadiers\""),
        ("at = [58, 137]", "at = [66, 98]"),
        ("colour = \"#b5382f\"", "colour = \"a good red\""),
    ]);
    let told = findings(&text);
    let said = |wanted: &str| told.iter().filter(|one| one.to_string().contains(wanted)).count();
    assert_eq!(said("`br-58` would do"), 1, "{told:#?}");
    assert_eq!(said("`grenadiers-2` would do"), 1, "{told:#?}");
    assert_eq!(said("is no colour"), 1, "what is unusual is told all the same: {told:#?}");
    let on_top = told.iter().filter(|one| one["message"].as_str().unwrap().contains("lies on top of")).count();
    assert_eq!(on_top, 2, "{told:#?}");
}

#[test]
fn each_outline_that_crosses_itself_is_told_at_its_own_line_and_all_from_the_top_down() {
    let bow = |at: u32| format!("\n[[ground]]\nkind = \"wood\"\narea = [[{at}, 5], [{at}, 12], [200, 5], [200, 12]]\n");
    for scenario in ["huzzah/maida", "batteries/the-crossroads", "malbrook/meeting"] {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
        let whole = std::fs::read_to_string(format!("{root}/{scenario}.toml")).unwrap();
        let text = whole + &bow(180) + &bow(190);
        let told = findings(&text);
        let lines: Vec<u64> = told
            .iter()
            .filter(|one| one.to_string().contains("no area"))
            .filter_map(|one| one["line"].as_u64())
            .collect();
        let wanted =
            |at: u32| text.lines().position(|line| line.contains(&format!("area = [[{at}, 5]"))).unwrap() as u64 + 1;
        assert_eq!(lines, [wanted(180), wanted(190)], "{scenario}: {told:#?}");
        assert!(!told.iter().any(|one| one.to_string().contains("needs an `area`")), "{scenario}: {told:#?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("battle.toml");
    std::fs::write(
        &file,
        changed(&[("quality = \"green\"", "quality = \"gren\""), ("kind = \"wood\"", "kind = \"wod\"")]),
    )
    .unwrap();
    let told = run(&["scenario", "check", path(&file)]);
    let said = told.out + &told.err;
    let lines: Vec<usize> = said
        .lines()
        .filter_map(|line| line.split("battle.toml, line ").nth(1)?.split(':').next()?.parse().ok())
        .collect();
    assert!(lines.len() > 1 && lines.is_sorted(), "{lines:?} of {said}");
}

#[test]
fn what_is_hardly_meant_is_told_as_unusual() {
    let river = "\n[[ground]]\nkind = \"river\"\nline = [[0, 20], [220, 20]]\nwidth = 4\n\n[[ground]]\nkind = \"road\"\nline = [[100, 0], [100, 60]]\nwidth = 2\n";
    let text = changed(&[
        ("at = [34, 80]", "at = [34, 170]"),
        ("at = [84, 33]", "at = [84, 20]"),
        ("at = [153, 82]", "at = [218, 82]"),
    ]) + river;
    let told = findings(&text);
    let warned = |wanted: &str| told.iter().any(|one| one["severity"] == "warning" && one.to_string().contains(wanted));
    assert!(warned("there is no bridge and no ford"), "{told:#?}");
    assert!(warned("stands in the water"), "{told:#?}");
    assert!(warned("out of the reach of Colonel John Oswald"), "{told:#?}");
    assert!(warned("over the edge of the table"), "{told:#?}");
    let bridged = text + "\n[[ground]]\nkind = \"bridge\"\narea = [[97, 23], [103, 23], [103, 17], [97, 17]]\n";
    assert!(!findings(&bridged).iter().any(|one| one.to_string().contains("there is no bridge")));
}

#[test]
fn what_a_terminal_would_obey_does_not_reach_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("battle.toml");
    // Names that clear the screen: in a file that is right and is fought, and in one that is wrong.
    let named = FORD.replacen("name = \"Red\"", "name = \"Red\\u001b[2J\\u009b31m\"", 1);
    let fought = ["fight", path(&file), "--a", "recruit", "--b", "recruit", "--seed", "1"];
    let wrong = changed(&[("quality = \"green\"", "quality = \"\\u001b[2J\"")]);
    for (text, command) in [(named, &fought[..]), (wrong, &["scenario", "check", path(&file)])] {
        std::fs::write(&file, text).unwrap();
        let ran = run(command);
        let said = ran.out + &ran.err;
        assert!(said.contains("[2J"), "it is told all the same: {said}");
        assert!(!said.contains("\u{1b}[2J") && !said.contains('\u{9b}'), "{command:?}: {said:?}");
    }
}

#[test]
fn the_battles_that_fit_every_book_can_be_fought_under_each_from_one_list() {
    for list in ["vimeiro", "maida"] {
        for book in ["huzzah", "batteries", "malbrook"] {
            let written = run(&["army", list, "--book", book]);
            assert_eq!(written.code, 0, "{list} under {book}: {}", written.err);
            assert!(written.out.contains(&format!("ruleset = \"{book}\"")), "{list} under {book}");
        }
    }
}
