//! `sabretache fight`: a battle in the terminal.

mod computer;
mod log_file;
mod typed;

use std::io::{BufRead, IsTerminal as _};

use sabretache_engine::erased::AnySession;
use sabretache_engine::ids::Side;
use sabretache_engine::log::{DiceSource, Enforcement, ruleset_of};
use sabretache_engine::protocol::{Decision, OfferView, Reply, Request};
use sabretache_engine::report::decision_in_words;
use sabretache_engine::scenario::Measure;
use sabretache_engine::session::{Seat, Setup};
use sabretache_engine::view::View;
use sabretache_lab::AnyLaboratory;
use sabretache_players::program::Seated;

use self::computer::{seats, seed_of};
use self::log_file::LogFile;
use self::typed::{Typed, value_of};
use super::print;
use super::replay::{resume, story_line};
use crate::books::laboratory;
use crate::cli::{DiceKind, EnforcementKind, Fight, Player};
use crate::failure::{Failure, bad};
use crate::files::{SHIPPED, scenario};

const HELP: &str =
    "  3              choose offer 3; 3 12cm, 3 -45, 3 30,42.5, 3 fr-1 fr-2, 3 square for offers that need an input
  !3 20cm        choose it although the rules forbid it (where they only advise)
  odds 3 [input] the exact odds of an offer
  why            what you cannot do now, and why not; why fr-1 for one unit
  advise         what the Drill-master would do, and why; advise marshal:2s
  finish         let the Drill-master fight on to the end; finish marshal:2s
  report         the whole situation; unit fr-1 for one unit
  rule HZ-THR-03 a clause
  story          what has happened so far
  undo           take the last choice back, while that is honest
  save FILE      the position as a scenario; log FILE a copy of the log
  set PATH VALUE set something by hand (umpire): set units.fr-1.staggers 2
  quit           leave; the log keeps the battle
";

pub(crate) fn run(fight: &Fight) -> Result<(), Failure> {
    let mut input = std::io::stdin().lock();
    let mut battle = begin(fight, &mut input)?;
    let fought = battle.fight(&mut input);
    battle.leave();
    fought
}

fn begin(fight: &Fight, input: &mut impl BufRead) -> Result<Battle, Failure> {
    let players = [fight.a, fight.b];
    if let Some(path) = &fight.resume {
        let session = resume(path)?;
        let text = session.log_text();
        let computers = laboratory(&ruleset_of(text.as_bytes()).map_err(bad)?)?;
        let log = LogFile::append(path, &text)?;
        let (seats, seed) = (seats(players), seed_of(&text));
        return Ok(Battle { session, log, players, seats, computers, seed, reasons: fight.why, told: 0 });
    }
    let name = match &fight.scenario {
        Some(name) => name.clone(),
        None => ask_scenario(input)?,
    };
    let (document, ruleset) = scenario(&name)?;
    let seed = fight.seed.unwrap_or_else(seed_of_the_moment);
    let setup = Setup {
        enforcement: match fight.enforcement {
            EnforcementKind::Referee => Enforcement::Referee,
            EnforcementKind::Advise => Enforcement::Advise,
            EnforcementKind::Sandbox => Enforcement::Sandbox,
        },
        dice: match fight.dice {
            DiceKind::Seeded => DiceSource::Seeded(seed),
            DiceKind::Typed => DiceSource::Typed,
        },
    };
    let text = document.text.clone();
    let wrong = |report| Failure::File { name: name.clone(), text, report };
    let (session, line) = ruleset.begin(&document, setup).map_err(wrong)?;
    let log = LogFile::create(fight.log.as_deref(), &name, &line)?;
    print(&format!("The battle is kept in {}\n", log.path().display()))?;
    let computers = laboratory(ruleset.book().name)?;
    Ok(Battle { session, log, players, seats: seats(players), computers, seed, reasons: fight.why, told: 0 })
}

/// A seed nobody chose. It goes into the log, so the battle can be fought again all the same.
pub(super) fn seed_of_the_moment() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(0) & 0xffff_ffff
}

fn ask_scenario(input: &mut impl BufRead) -> Result<String, Failure> {
    if SHIPPED.is_empty() {
        return Err(bad("no scenario comes with the program yet; name a file"));
    }
    let mut text = String::from("Which battle?\n");
    for (n, (name, _)) in SHIPPED.iter().enumerate() {
        text += &format!("{:>3}  {name}\n", n + 1);
    }
    print(&text)?;
    loop {
        let Some(line) = ask("> ", input)? else { return Err(bad("no battle was chosen")) };
        let by_number = line.trim().parse::<usize>().ok().and_then(|n| SHIPPED.get(n.checked_sub(1)?));
        let found = by_number.or_else(|| SHIPPED.iter().find(|(name, _)| *name == line.trim()));
        match found {
            Some((name, _)) => return Ok((*name).to_owned()),
            None => print("A number from the list, or a name.\n")?,
        }
    }
}

/// Asks for a line; nothing when there is no more input.
fn ask(prompt: &str, input: &mut impl BufRead) -> Result<Option<String>, Failure> {
    print(prompt)?;
    let mut line = Vec::new();
    let read = input.by_ref().take_line(&mut line).map_err(|error| bad(format!("standard input: {error}")))?;
    if !std::io::stdin().is_terminal() {
        print("\n")?;
    }
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

trait TakeLine {
    fn take_line(&mut self, line: &mut Vec<u8>) -> std::io::Result<usize>;
}

impl<B: BufRead> TakeLine for B {
    /// A line of at most a few thousand bytes; what is longer comes as the next line.
    fn take_line(&mut self, line: &mut Vec<u8>) -> std::io::Result<usize> {
        std::io::Read::take(self, 8_192).read_until(b'\n', line)
    }
}

struct Battle {
    session: Box<dyn AnySession>,
    log: LogFile,
    players: [Player; 2],
    /// The programs that play.
    seats: [Option<Seated>; 2],
    computers: &'static dyn AnyLaboratory,
    /// The seed of the dice, from which a computer player's own chance comes, apart from them.
    seed: u64,
    /// Whether computer players say why.
    reasons: bool,
    /// The moment up to which the story has been told.
    told: usize,
}

/// Whether the battle goes on at this terminal.
enum Next {
    On,
    Quit,
}

impl Battle {
    fn fight(&mut self, input: &mut impl BufRead) -> Result<(), Failure> {
        print(&self.report())?;
        loop {
            self.tell_story()?;
            let Some(side) = self.session.deciding() else { break };
            let next = match self.players[side.index()] {
                Player::Computer(skill) => self.computer(side, skill, input)?,
                Player::Person => self.person(side, input)?,
            };
            if matches!(next, Next::Quit) {
                return print(&format!("The battle is kept in {}\n", self.log.path().display()));
            }
        }
        let verdict = self.session.verdict();
        let sentence = verdict.map_or("The battle is over.".into(), |verdict| {
            let winner = verdict.winner.map_or("Nobody has won".into(), |side| format!("Side {side} has won"));
            format!("{winner}: {} [{}]", verdict.sentence, verdict.clause)
        });
        print(&format!("\n{sentence}\nThe battle is kept in {}\n", self.log.path().display()))
    }

    /// Asks as whoever runs the program.
    fn answer(&mut self, request: &Request) -> Reply {
        self.session.answer(Seat::Umpire, request)
    }

    /// Through whose eyes the person at the terminal looks, where not everybody sees everything: those of the side that
    /// decides, or of the other where a computer decides.
    fn looker(&self) -> Seat {
        let person = |side: &Side| self.players[side.index()] == Player::Person;
        let deciding = self.session.deciding();
        let side = deciding.into_iter().flat_map(|side| [side, side.other()]).find(person);
        side.map_or(Seat::Umpire, Seat::Player)
    }

    /// Asks as whoever looks at the terminal.
    fn look(&mut self, request: &Request) -> Reply {
        let seat = self.looker();
        self.session.answer(seat, request)
    }

    fn report(&mut self) -> String {
        match self.look(&Request::Report) {
            Reply::Text { text } => text,
            other => said(&other),
        }
    }

    fn tell_story(&mut self) -> Result<(), Failure> {
        let now = self.session.now();
        if self.told < now {
            let from = self.told;
            if let Reply::Story { lines } = self.look(&Request::Story { from }) {
                print(&lines.iter().map(story_line).collect::<String>())?;
            }
        }
        self.told = now;
        Ok(())
    }

    fn view(&mut self) -> Option<Box<View>> {
        match self.look(&Request::View { moment: None }) {
            Reply::View { view, .. } => Some(view),
            _ => None,
        }
    }

    fn person(&mut self, side: Side, input: &mut impl BufRead) -> Result<Next, Failure> {
        let decision = self.session.decision_for(Seat::Player(side), false);
        print(&format!("\n{}", decision_in_words(&decision, self.session.measure().unit())))?;
        loop {
            let Some(line) = ask(&format!("{side}> "), input)? else { return Ok(Next::Quit) };
            let Some(typed) = Typed::read(&line) else {
                print(HELP)?;
                continue;
            };
            let moment = self.session.now();
            if let Next::Quit = self.obey(typed, side, &decision, input)? {
                return Ok(Next::Quit);
            }
            if self.session.now() != moment || self.players[side.index()] != Player::Person {
                return Ok(Next::On);
            }
        }
    }

    fn obey(
        &mut self,
        typed: Typed,
        side: Side,
        decision: &Decision,
        input: &mut impl BufRead,
    ) -> Result<Next, Failure> {
        match typed {
            Typed::Quit => return Ok(Next::Quit),
            Typed::Help => print(HELP)?,
            Typed::Report => print(&self.report())?,
            Typed::Offers => print(&decision_in_words(decision, self.session.measure().unit()))?,
            Typed::Story => {
                self.told = 0;
                self.tell_story()?;
            }
            Typed::Choose { number, words, despite } => match self.offer(decision, number, &words) {
                Ok((offer, value)) => {
                    let (dice, reveals) = (Vec::new(), Default::default());
                    let request = Request::Choose {
                        offer,
                        value,
                        moment: None,
                        dice,
                        reveals,
                        despite,
                        player: None,
                        whole: false,
                    };
                    return self.choose(request, input);
                }
                Err(why) => print(&format!("{why}\n"))?,
            },
            Typed::Odds { number, words } => match self.offer(decision, number, &words) {
                Ok((offer, value)) => {
                    let reply = self.look(&Request::Odds { offer, value });
                    print(&said(&reply))?;
                }
                Err(why) => print(&format!("{why}\n"))?,
            },
            Typed::Why(about) => print(&self.why(&about))?,
            Typed::Advise(player) => print(&self.advice(&player))?,
            Typed::Finish(player) => print(&self.hand_over(&player))?,
            Typed::Unit(about) => print(&self.unit(&about))?,
            Typed::Rule(id) => {
                let reply = self.answer(&Request::Clause { id: id.to_uppercase() });
                print(&said(&reply))?;
            }
            Typed::Undo => {
                let reply = self.session.answer(Seat::Player(side), &Request::Undo { player: None, whole: false });
                self.keep(&reply)?;
                self.told = self.session.now();
                print(if matches!(reply, Reply::Moment { .. }) { "Taken back.\n" } else { "" })?;
            }
            Typed::Set { path, to } => {
                let reply = self.answer(&Request::Adjust { path, to, why: None });
                self.keep(&reply)?;
            }
            Typed::Save(path) => {
                let request = Request::Save;
                self.write_text(&request, &path)?;
            }
            Typed::Log(path) => self.write_text(&Request::Log, &path)?,
        }
        Ok(Next::On)
    }

    /// The offer with this number, with the input that was typed.
    fn offer(
        &mut self,
        decision: &Decision,
        number: usize,
        words: &[String],
    ) -> Result<(String, sabretache_engine::offer::Value), String> {
        let offer: &OfferView = number
            .checked_sub(1)
            .and_then(|n| decision.offers.get(n))
            .ok_or_else(|| format!("there are offers 1 to {}", decision.offers.len()))?;
        let view = self.view();
        let measure = view.as_ref().map_or(Measure::Cm, |view| view.setting.measure);
        let units: Vec<_> =
            view.map(|view| view.units.iter().map(|unit| (unit.key.clone(), unit.id)).collect()).unwrap_or_default();
        let value = value_of(&offer.input, words, measure, &units)?;
        Ok((offer.key.clone(), value))
    }

    /// Makes a choice; asks for real dice as often as they are wanted.
    fn choose(&mut self, mut request: Request, input: &mut impl BufRead) -> Result<Next, Failure> {
        loop {
            let seat = Seat::Umpire;
            let reply = self.session.answer(seat, &request);
            let Reply::Dice { throw, count, .. } = &reply else {
                self.keep(&reply)?;
                return Ok(Next::On);
            };
            let Some(line) = ask(&format!("Throw {throw} and type what falls: "), input)? else {
                return Ok(Next::Quit);
            };
            if line == "back" {
                return Ok(Next::On);
            }
            let faces: Option<Vec<u8>> =
                line.split([' ', ',']).filter(|word| !word.is_empty()).map(|word| word.parse().ok()).collect();
            match (faces, &mut request) {
                (Some(faces), Request::Choose { dice, .. }) if faces.len() == *count => dice.extend(faces),
                _ => print(&format!("{count} numbers, with spaces between; `back` to choose something else.\n"))?,
            }
        }
    }

    /// Writes new lines of the log to its file before anything is said about them; says what went wrong otherwise.
    fn keep(&mut self, reply: &Reply) -> Result<(), Failure> {
        match reply {
            Reply::Moment { log, .. } => log.iter().try_for_each(|line| self.log.write(line)),
            other => print(&said(other)),
        }
    }

    fn why(&mut self, about: &str) -> String {
        let closed = self.session.decision_for(self.looker(), true).closed;
        let units = self.view().map(|view| view.units).unwrap_or_default();
        let token = units.iter().find(|unit| unit.key == about).map(|unit| unit.id.to_string());
        let meant = closed.iter().filter(|offer| about.is_empty() || offer.unit == token || offer.key.contains(about));
        let text: String = meant.map(|offer| format!("  {}: no, {}\n", offer.label, offer.why)).collect();
        if text.is_empty() { "Nothing is closed there that one would expect to be open.\n".into() } else { text }
    }

    fn unit(&mut self, about: &str) -> String {
        let Some(view) = self.view() else { return String::new() };
        let found = view.units.iter().find(|unit| unit.key == about || unit.name == about);
        found.map_or_else(
            || format!("There is no unit '{about}'.\n"),
            |unit| sabretache_engine::report::unit_line(&view, unit) + "\n",
        )
    }

    fn write_text(&mut self, request: &Request, path: &str) -> Result<(), Failure> {
        match self.answer(request) {
            Reply::Text { text } => match std::fs::write(path, text) {
                Ok(()) => print(&format!("Written to {path}.\n")),
                Err(error) => print(&format!("{path}: {error}\n")),
            },
            other => print(&said(&other)),
        }
    }
}

/// A reply in words.
fn said(reply: &Reply) -> String {
    match reply {
        Reply::Refused(refusal) => format!("Not allowed: {refusal}\n"),
        Reply::Declined { why, diagnostics } if diagnostics.is_empty() => format!("{why}\n"),
        Reply::Declined { why, diagnostics } => format!("{why}:\n{diagnostics}\n"),
        Reply::Odds { outcomes, .. } => outcomes
            .iter()
            .map(|one| format!("{:>7.2} %  {:<12} {}\n", one.probability * 100.0, one.p, one.outcome))
            .collect(),
        Reply::Clause(clause) => {
            let ruling = clause.ruling.as_ref().map_or(String::new(), |ruling| format!("\nRuling: {ruling}\n"));
            format!("{}  {}\n\n{}\n{ruling}\nExample: {}\n", clause.id, clause.title, clause.text, clause.example)
        }
        Reply::Text { text } => text.clone(),
        _ => String::new(),
    }
}
