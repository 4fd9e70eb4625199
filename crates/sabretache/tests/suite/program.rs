//! The program as others use it: its commands, its contracts, its exit codes, and what it does with nonsense.

use serde_json::{Value as Json, json};

use crate::common::{FORD, json_lines, path, run, run_with};

#[test]
fn odds_keep_their_contract() {
    let ran = run(&["odds", "picket", "steadiness", "--situation", r#"{"steadiness":8,"hits":1}"#, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let odds: Json = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(odds["target"], 7);
    assert_eq!(odds["modifiers"], json!([{ "clause": "PK-STE-02", "shift": -1 }]));
    assert_eq!(odds["outcomes"][1]["outcome"], "stands");
    assert_eq!(odds["outcomes"][1]["p"], "7/12");
    assert!((odds["outcomes"][1]["probability"].as_f64().unwrap() - 21.0 / 36.0).abs() < 1e-12);

    assert!(run(&["odds", "picket", "--list"]).out.contains("steadiness"));
    let schema: Json = serde_json::from_str(&run(&["odds", "picket", "steadiness", "--schema"]).out).unwrap();
    assert_eq!(schema["properties"]["hits"]["clauses"], json!(["PK-STE-02"]));
    assert!(schema["properties"]["hits"]["description"].as_str().unwrap().contains("hits"));
}

#[test]
fn bad_input_is_explained_with_exit_code_2() {
    let cases: &[&[&str]] = &[
        &["odds", "chess", "steadiness"],
        &["odds", "picket", "courage"],
        &["odds", "picket", "steadiness", "--situation", "{"],
        &["odds", "picket", "steadiness", "--situation", r#"{"steadiness":99,"hits":1}"#],
        &["rules", "PK-NOT-01"],
        &["rules", "whist"],
        &["drill", "no/such/folder"],
        &["fight", "no-such-battle"],
        &["verify", "no-such.jsonl"],
        &["replay", "no-such.jsonl"],
        &["scenario", "check", "no-such.toml"],
        &["scenario", "schema", "chess"],
        &["bench", "playouts", "--ruleset", "picket", "--seconds", "0"],
        &["nonsense"],
    ];
    for args in cases {
        let ran = run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.len() > 10 && !ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_wrong_scenario_is_explained_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.toml");
    let text = FORD.replace("steadiness = 8", "steadiness = 80").replace("side = \"blue\"", "side = \"green\"");
    std::fs::write(&file, text.replace("facing = 180", "facng = 180")).unwrap();
    let ran = run(&["scenario", "check", path(&file)]);
    assert_eq!(ran.code, 2);
    for wanted in
        ["line 27", "80 is greater than the maximum of 12", "`facng` is not known here", "`facing` is missing"]
    {
        assert!(ran.out.contains(wanted), "{wanted}: {}", ran.out);
    }
    std::fs::write(&file, text.replace("steadiness = 80", "steadiness = 8")).unwrap();
    let ran = run(&["scenario", "check", path(&file), "--json"]);
    let told = &json_lines(&ran.out)[0];
    assert_eq!((ran.code, &told["ok"]), (2, &json!(false)));
    assert_eq!(told["findings"].as_array().unwrap().len(), 2, "both green pickets: {told}");
    assert_eq!(told["findings"][0]["line"], 40);
    assert!(told["findings"][0]["help"].as_str().unwrap().contains("red, blue"));
}

#[test]
fn a_scenario_made_by_the_program_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("new.toml");
    std::fs::write(&file, run(&["scenario", "new", "picket"]).out).unwrap();
    let ran = run(&["scenario", "check", path(&file)]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let schema: Json = serde_json::from_str(&run(&["scenario", "schema", "picket"]).out).unwrap();
    assert_eq!(schema["additionalProperties"], false);
}

#[test]
fn drills_answer_with_their_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("drills.toml");
    let drill = |target: u8| {
        format!(
            "[[drill]]\nclauses = [\"PK-STE-02\"]\ntitle = \"t{target}\"\nruleset = \"picket\"\ntest = \"steadiness\"\n\
             situation = {{ steadiness = 8, hits = 1 }}\ndice = [1, 1]\nexpect = {{ target = {target} }}\n"
        )
    };
    std::fs::write(&file, drill(7)).unwrap();
    assert_eq!(run(&["drill", path(&file)]).code, 0);
    std::fs::write(&file, drill(7) + &drill(6)).unwrap();
    let ran = run(&["drill", path(folder.path()), "--json"]);
    assert_eq!(ran.code, 1);
    let results = json_lines(&ran.out);
    assert_eq!((&results[0]["title"], &results[0]["ok"]), (&json!("t7"), &json!(true)));
    assert_eq!((&results[1]["ok"], &results[1]["clauses"]), (&json!(false), &json!(["PK-STE-02"])));
    let failure = &results[1]["failures"][0];
    assert_eq!((&failure["what"], &failure["expected"], &failure["got"]), (&json!("target"), &json!(6), &json!(7)));
    std::fs::write(&file, "[[drill]]\ntitle = 1\n").unwrap();
    assert_eq!(run(&["drill", path(&file)]).code, 2);
    // A clause that the book does not have is told with its file and line, whatever the drill expects.
    std::fs::write(&file, drill(7) + &drill(7).replace("PK-STE-02", "PK-STE-99")).unwrap();
    let ran = run(&["drill", path(&file)]);
    let second = drill(7).lines().count() + 2;
    assert_eq!(ran.code, 2, "{}", ran.out);
    for wanted in ["PK-STE-99", "drills.toml", &format!("line {second}:")] {
        assert!(ran.err.contains(wanted), "{wanted}: {}", ran.err);
    }
}

#[test]
fn a_battle_is_fought_in_the_terminal_and_proved() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("battle.jsonl");
    // A person who always ends the turn (the last offer while nobody interrupts), against the random player.
    let input = "why r1\nodds 1 12cm\n1 99\nreport\nrule PK-VOL-01\n1 12\nundo\nset units.b1.fired true\n1 12cm\nsave SAVED\nquit\n";
    let saved = folder.path().join("saved.toml");
    let input = input.replace("SAVED", path(&saved));
    let ran = run_with(&["fight", "ford", "--seed", "4", "--log", path(&log)], input.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    for wanted in [
        "Taken back.",
        "12cm at the most, not 99cm",
        "Red left advances 12 cm. [PK-MOV-01]",
        "The umpire set units.b1.fired",
    ] {
        assert!(ran.out.contains(wanted), "{wanted}: {}", ran.out);
    }
    assert_eq!(run(&["scenario", "check", path(&saved)]).code, 0);
    assert_eq!(run(&["verify", path(&log)]).code, 0);

    let ran = run(&["fight", "--resume", path(&log), "--a", "recruit", "--b", "recruit"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("has won") || ran.out.contains("Nobody has won"), "{}", ran.out);
    let proved = run(&["verify", path(&log), "--json"]);
    assert_eq!((proved.code, &json_lines(&proved.out)[0]["ok"]), (0, &json!(true)));

    let told = run(&["replay", path(&log)]);
    assert!(told.out.contains("A: Advance Red left") && told.code == 0, "{}", told.out);
    assert!(run(&["replay", path(&log), "--at", "3"]).out.contains("pickets left"));
    assert_eq!(json_lines(&run(&["replay", path(&log), "--json"]).out)[0]["text"], "The ford");

    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, text.replace("\"x\":250000", "\"x\":250001")).unwrap();
    assert_eq!(run(&["verify", path(&log)]).code, 2, "a changed line is no whole log");
}

#[test]
fn a_torn_last_line_is_cut_and_the_battle_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("battle.jsonl");
    run_with(&["fight", "ford", "--seed", "4", "--log", path(&log)], b"1 12\n1 12\nquit\n");
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, &text[..text.len() - 40]).unwrap();
    let ran = run_with(&["fight", "--resume", path(&log)], b"1 5\nquit\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(run(&["verify", path(&log)]).out.trim(), format!("{}: 3 lines proved", log.display()));
}

#[test]
fn real_dice_are_typed_in() {
    let folder = tempfile::tempdir().unwrap();
    let (scenario, log) = (folder.path().join("close.toml"), folder.path().join("battle.jsonl"));
    std::fs::write(&scenario, FORD.replace("at = [25, 45]", "at = [25, 30]")).unwrap();
    let args = ["fight", path(&scenario), "--dice", "typed", "--log", path(&log)];
    let ran = run_with(&args, b"1 12\n1\n5 5\n5, 5, 1\n6 6\nquit\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Throw 3D6, each 5 or more and type what falls"), "{}", ran.out);
    assert!(ran.out.contains("6 + 6 = 12, failed"), "{}", ran.out);
    assert_eq!(run(&["verify", path(&log)]).code, 0);
}

#[test]
fn the_engine_speaks_the_protocol() {
    let messages = [
        json!({ "type": "begin", "scenario": "ford", "seed": 4, "ref": 1 }),
        json!({ "type": "decision", "closed": true, "ref": "two" }),
        json!({ "type": "choose", "offer": "advance r1", "value": { "distance": 120_000 }, "seat": "B" }),
        json!({ "type": "choose", "offer": "advance r1", "value": { "distance": 120_000 }, "seat": "A", "moment": 1 }),
        json!({ "type": "choose", "offer": "end turn", "moment": 1 }),
        json!({ "type": "choose", "offer": "wheel r1", "value": { "wheel": 100 } }),
        json!({ "type": "view" }),
        json!({ "type": "odds", "offer": "end turn" }),
        json!({ "type": "preview", "offer": "advance r2", "value": { "distance": 50_000 } }),
        json!({ "type": "overlays", "of": "#0" }),
        json!({ "type": "clause", "id": "PK-SEQ-01" }),
        json!({ "type": "story" }),
        json!({ "type": "save" }),
        json!({ "type": "undo", "seat": "A" }),
        json!({ "type": "branch", "moment": 1, "seed": 9 }),
        json!({ "type": "report" }),
    ];
    let input: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let ran = run_with(&["engine"], input.as_bytes());
    let replies = json_lines(&ran.out);
    let types: Vec<&str> = replies.iter().map(|reply| reply["type"].as_str().unwrap()).collect();
    let wanted = [
        "moment", "decision", "declined", "moment", "declined", "refused", "view", "odds", "preview", "overlays",
        "clause", "story", "text", "moment", "moment", "text",
    ];
    assert_eq!(types, wanted);
    assert_eq!((&replies[0]["ref"], &replies[1]["ref"]), (&json!(1), &json!("two")));
    assert_eq!(replies[1]["offers"].as_array().unwrap().len(), 5);
    assert_eq!(replies[5]["clause"], "PK-SEQ-02");
    assert_eq!(replies[6]["view"]["units"][0]["pose"]["at"], json!({ "x": 250_000, "y": 270_000 }));
    assert_eq!(replies[8]["ghosts"][0]["unit"], "#1");
}

#[test]
fn the_engine_answers_nonsense_and_goes_on() {
    let mut input =
        b"\xff\xfe\x00\n{}\n[]\n\"x\"\n{\"type\":\"begin\"}\n{\"type\":\"view\"}\n{\"type\":\"dance\"}\n".to_vec();
    input.extend(b"{\"type\":\"begin\",\"scenario\":\"a = 1\\nb = \",\"seed\":1}\n");
    input.extend(b"{\"type\":\"resume\",\"log\":\"\"}\n{\"type\":\"view\",\"seat\":\"king\"}\n\n");
    input.extend(b"{\"type\":\"begin\",\"scenario\":\"ford\",\"seed\":1}\n");
    let ran = run_with(&["engine"], &input);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let replies = json_lines(&ran.out);
    let declined = replies.iter().filter(|reply| reply["type"] == "declined").count();
    assert_eq!((declined, replies.len()), (10, 11), "{}", ran.out);
    assert_eq!(replies[10]["type"], "moment");
}

#[test]
fn clauses_are_shown_and_searched() {
    assert!(run(&["rules", "pk-vol-01"]).out.contains("10 cm deep"));
    let found = run(&["rules", "picket", "hit", "steadiness"]).out;
    assert!(found.contains("PK-STE-01") && !found.contains("PK-SEQ-01"), "{found}");
    assert_eq!(json_lines(&run(&["rules", "picket", "--json"]).out).len(), 15);
}

#[test]
fn coverage_counts_drills_and_names_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let drill = "[[drill]]\nclauses = [\"PK-STE-02\"]\ntitle = \"t\"\nruleset = \"picket\"\ntest = \"steadiness\"\nexpect = { target = 1 }\n";
    std::fs::write(folder.path().join("d.toml"), drill).unwrap();
    let ran = run(&["clauses", "--root", path(folder.path())]);
    assert!(ran.out.contains("picket 1/15 tested") && ran.out.contains("PK-STE-01"), "{}", ran.out);
    assert!(!ran.out.contains("PK-STE-02"), "{}", ran.out);
    assert_eq!(ran.code, 1, "a clause without a drill is no for an answer");
    std::fs::write(folder.path().join("d.toml"), drill.replace("PK-STE-02", "PK-STE-99")).unwrap();
    assert_eq!(run(&["clauses", "--root", path(folder.path())]).code, 2, "a clause that is not in the book");
}

#[test]
fn the_bench_keeps_its_contract() {
    let ran = run(&["bench", "playouts", "--ruleset", "picket", "--seconds", "0.2", "--json"]);
    let told: Json = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&told["ruleset"], &told["scenario"]), (&json!("picket"), &json!("ford")));
    assert!(told["decisions_per_second"].as_f64().unwrap() > 0.0 && told["battles_per_second"].as_f64().unwrap() > 0.0);
}

#[test]
fn every_command_has_help_with_examples_completions_and_a_manual() {
    let alone = "fight serve engine rules odds drill scenario muster replay verify simulate report compare ladder bench clauses man completions";
    let below: &[&[&str]] =
        &[&["scenario", "list"], &["scenario", "check"], &["scenario", "schema"], &["scenario", "new"]];
    for command in alone.split(' ').map(|command| vec![command]).chain(below.iter().map(|words| words.to_vec())) {
        let help = run(&[command.as_slice(), &["--help"]].concat()).out;
        assert!(help.contains("Examples:"), "{command:?}: {help}");
    }
    assert!(run(&["completions", "bash"]).out.contains("_sabretache"));
    assert!(run(&["man"]).out.contains(".TH"));
    let folder = tempfile::tempdir().unwrap();
    run(&["man", "--dir", path(folder.path())]);
    assert!(folder.path().join("sabretache-fight.1").exists());
}

#[test]
fn musters_are_rolled_by_the_playsheet_and_explained() {
    // Regulars C: 2 Veteran, 3-4 Experienced, 5-7 Trained, 8-10 Green, 11-12 Raw.
    let rolled = |args: &[&str], dice: &str| {
        let args: Vec<&str> = ["muster"].iter().chain(args).copied().collect();
        run_with(&args, dice.as_bytes())
    };
    let ran = rolled(&["regulars-c", "--dice", "typed"], "5 5\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Regulars C: 5 + 5 = 10, Green [HZ-QUA-08]"), "{}", ran.out);
    assert!(ran.out.contains("Veteran 2, Experienced 3-4, Trained 5-7, Green 8-10, Raw 11-12"), "{}", ran.out);
    let of = |what: &[&str], dice: &str| {
        let args: Vec<&str> = what.iter().chain(&["--dice", "typed", "--json"]).copied().collect();
        json_lines(&rolled(&args, dice).out).remove(0)
    };
    assert_eq!(of(&["Regulars C"], "1\n1\n")["quality"], "veteran", "dice may come one a line");
    assert_eq!(of(&["regulars-c"], "5,6")["quality"], "raw");
    assert_eq!(of(&["regulars-b"], "5 6")["quality"], "green");
    let high = of(&["regulars-b", "--high"], "5 6");
    assert_eq!((&high["quality"], &high["clauses"]), (&json!("veteran"), &json!(["HZ-QUA-08", "HZ-VAR-01"])));
    assert_eq!(of(&["militia-a"], "1 2")["quality"], "experienced");
    assert_eq!(of(&["militia-a", "--old-militia-a"], "1 2")["quality"], "trained");

    // The same seed, the same muster.
    let again = || rolled(&["elites-b", "--seed", "7", "--json"], "").out;
    assert_eq!(again(), again());

    for (args, dice) in [
        (&["regulars-e"][..], ""),
        (&["no-such-battle"], ""),
        (&["regulars-c", "--dice", "typed"], "5\n"),
        (&["regulars-c", "--dice", "typed"], "7 1\n"),
        (&["regulars-c", "--dice", "typed"], "five six\n"),
        (&["regulars-c", "--scenario"], ""),
        (&["ford"], ""),
    ] {
        let ran = rolled(args, dice);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.out);
        assert!(ran.err.len() > 10 && !ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_whole_scenario_is_mustered_unit_by_unit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("army.toml");
    let text = include_str!("../../../../drills/huzzah/positions/two-brigades.toml");
    // Two units are to be rolled for, the others are fixed.
    let text = text.replacen("quality = \"trained\"", "grade = \"regulars\"\nclass = \"b\"", 2);
    std::fs::write(&file, &text).unwrap();
    let ran = run_with(&["muster", path(&file), "--dice", "typed", "--json"], b"1 1 6 6\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told = json_lines(&ran.out);
    let qualities: Vec<(&Json, &Json)> = told.iter().map(|one| (&one["unit"], &one["quality"])).collect();
    let wanted = [(json!("fr-1"), json!("veteran")), (json!("fr-2"), json!("green"))];
    assert_eq!(qualities, wanted.iter().map(|(unit, quality)| (unit, quality)).collect::<Vec<_>>());

    let ran = run_with(&["muster", path(&file), "--dice", "typed", "--scenario"], b"1 1\n6 6\n");
    std::fs::write(&file, &ran.out).unwrap();
    let again = run(&["muster", path(&file)]);
    assert!(again.out.contains("nothing to roll"), "{} {}", again.out, again.err);
    assert_eq!(run(&["scenario", "check", path(&file)]).code, 0);
}
