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
