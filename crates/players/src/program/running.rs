//! A process and its lines. Nothing here waits for ever, and no line grows without end.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::fault::{Fault, FaultKind};
use super::lock;
use super::spec::Limits;
use super::wire::{self, FromBot, Hello, Line, ToBot, VERSION, quoted};

/// The longest line that a program may write, in bytes.
pub(super) const LONGEST_LINE: usize = 256 * 1024;
/// So many lines wait to be read; then the program waits.
const LINES_WAITING: usize = 16;
/// So many messages wait for a program to read them; more are never sent before it has answered.
const MESSAGES_WAITING: usize = 64;
/// So much of what it writes to standard error is remembered.
const STDERR_KEPT: usize = 1_500;
/// How long somebody who has closed the output may take to end, before that counts as living on.
const ENDING: Duration = Duration::from_millis(500);
/// How often a process is looked after that should end.
const LOOK: Duration = Duration::from_millis(5);

/// What comes from the program.
enum Heard {
    Line(String),
    TooLong,
    NoText,
}

/// A process that plays.
pub(super) struct Running {
    child: Child,
    limits: Limits,
    to: SyncSender<String>,
    from: Receiver<Heard>,
    stderr: Arc<Mutex<Vec<u8>>>,
    listening: JoinHandle<()>,
}

impl Running {
    /// Starts the program and waits for its hello.
    pub(super) fn start(words: &[String], limits: &Limits) -> Result<(Self, Hello), Fault> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: the interrupt key is for the host, and it is ended with all that it has started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .map_err(|error| Fault::new(FaultKind::Start, format!("'{}' cannot be started: {error}", words[0])))?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = (input, output, errors) else {
            return Err(Fault::new(FaultKind::Start, "its input and output cannot be had"));
        };
        let (to, told) = sync_channel::<String>(MESSAGES_WAITING);
        let (heard, from) = sync_channel(LINES_WAITING);
        let stderr = Arc::default();
        thread::spawn(move || write_lines(input, &told));
        thread::spawn(move || read_lines(output, &heard));
        let kept = Arc::clone(&stderr);
        let listening = thread::spawn(move || keep_tail(errors, &kept));
        let mut running = Self { child, limits: *limits, to, from, stderr, listening };
        let host = concat!("sabretache ", env!("CARGO_PKG_VERSION"));
        running.tell(&ToBot::Hello { protocol: VERSION, host })?;
        let until = Instant::now() + limits.start;
        match running.said(until, "`hello`", limits.start)? {
            FromBot::Hello(hello) if !hello.name.trim().is_empty() => Ok((running, hello)),
            FromBot::Hello(_) => Err(running.fault(FaultKind::Rubbish, "its `hello` has no name")),
            other => Err(running.fault(FaultKind::Rubbish, format!("`hello` is answered with `hello`, not {other:?}"))),
        }
    }

    /// Says something to it.
    pub(super) fn tell(&mut self, message: &impl Serialize) -> Result<(), Fault> {
        let line = serde_json::to_string(message).unwrap_or_default() + "\n";
        match self.to.try_send(line) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(self.fault(FaultKind::Stall, "it does not read its input")),
            // Its input is closed: why, is known when its output is looked at.
            Err(TrySendError::Disconnected(_)) => Ok(()),
        }
    }

    /// Its next line as text; nothing when time is up.
    pub(super) fn line(&mut self, until: Instant) -> Result<Option<String>, Fault> {
        // Somebody who never stops talking is out of time, too.
        let Some(left) = until.checked_duration_since(Instant::now()) else { return Ok(None) };
        match self.from.recv_timeout(left) {
            Ok(Heard::Line(line)) => Ok(Some(line)),
            Ok(Heard::TooLong) => {
                Err(self.fault(FaultKind::Rubbish, format!("a line of more than {LONGEST_LINE} bytes")))
            }
            Ok(Heard::NoText) => Err(self.fault(FaultKind::Rubbish, "a line that is no UTF-8 text")),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone()),
        }
    }

    /// What it says next, where it has nothing to ask. `to` is what it answers.
    fn said(&mut self, until: Instant, to: &str, limit: Duration) -> Result<FromBot, Fault> {
        loop {
            let Some(line) = self.line(until)? else {
                return Err(self.fault(FaultKind::Stall, format!("no answer to {to} within {limit:?}")));
            };
            match wire::read(&line) {
                Ok(Line::Said(FromBot::Info { .. })) => {}
                Ok(Line::Said(said)) => return Ok(said),
                Ok(Line::Asked(..)) => {
                    let why = format!("{} came where {to} is to be answered", quoted(&line));
                    return Err(self.fault(FaultKind::Rubbish, why));
                }
                Err(why) => return Err(self.fault(FaultKind::Rubbish, why)),
            }
        }
    }

    /// Waits until it says that it is ready.
    pub(super) fn ready(&mut self, to: &str, limit: Duration) -> Result<(), Fault> {
        match self.said(Instant::now() + limit, to, limit)? {
            FromBot::Ready => Ok(()),
            other => {
                let why = format!("{to} is answered with `ready`, not {other:?}");
                Err(self.fault(FaultKind::Rubbish, why))
            }
        }
    }

    /// Whether it is still there.
    pub(super) fn ping(&mut self, limit: Duration) -> Result<(), Fault> {
        self.tell(&ToBot::Ready)?;
        self.ready("`ready`", limit)
    }

    /// A fault of it, with what it wrote to standard error.
    pub(super) fn fault(&mut self, kind: FaultKind, why: impl Into<String>) -> Fault {
        Fault { stderr: self.stderr_tail(), ..Fault::new(kind, why) }
    }

    /// Its output has ended: it has too, or closed it.
    fn gone(&mut self) -> Fault {
        let why = match self.ended_within(ENDING) {
            Some(status) => format!("it ended ({status}) where it should have answered"),
            None => "it closed its output and runs on".into(),
        };
        self.fault(FaultKind::Crash, why)
    }

    fn stderr_tail(&mut self) -> String {
        // What it wrote last may still be on its way.
        let until = Instant::now() + ENDING;
        while matches!(self.child.try_wait(), Ok(Some(_))) && !self.listening.is_finished() && Instant::now() < until {
            thread::sleep(LOOK);
        }
        let kept = lock(&self.stderr);
        String::from_utf8_lossy(&kept).trim().to_owned()
    }

    fn ended_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(LOOK),
                _ => return None,
            }
        }
    }

    /// Tells it to end, without waiting.
    pub(super) fn tell_to_quit(&self) {
        let _ = self.to.try_send(serde_json::to_string(&ToBot::Quit).unwrap_or_default() + "\n");
    }

    /// Waits until it has ended, having been told to.
    pub(super) fn quit(mut self) -> Result<ExitStatus, Fault> {
        let limit = self.limits.quit;
        match self.ended_within(limit) {
            Some(status) => Ok(status),
            None => Err(self.fault(FaultKind::Stall, format!("it still runs {limit:?} after it was told to quit"))),
        }
    }

    /// Closes its input and waits until it has ended.
    pub(super) fn hang_up(mut self) -> Result<ExitStatus, Fault> {
        let (nobody, _) = sync_channel(1);
        self.to = nobody;
        let limit = self.limits.quit;
        match self.ended_within(limit) {
            Some(status) => Ok(status),
            None => Err(self.fault(FaultKind::Stall, format!("it still runs {limit:?} after its input was closed"))),
        }
    }
}

impl Drop for Running {
    /// No process outlives its player, and none stays behind as a zombie.
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            #[cfg(unix)]
            if let Ok(group) = i32::try_from(self.child.id()) {
                use nix::sys::signal::{Signal, killpg};
                let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
            }
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(output: ChildStdout, heard: &SyncSender<Heard>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let most = LONGEST_LINE as u64 + 1;
        match output.by_ref().take(most).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() > LONGEST_LINE => {
                let _ = heard.send(Heard::TooLong);
                return;
            }
            Ok(_) => {}
        }
        let line = match String::from_utf8(line) {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => Heard::Line(line),
            Err(_) => Heard::NoText,
        };
        if heard.send(line).is_err() {
            return;
        }
    }
}

fn keep_tail(mut errors: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut some = [0; 4_096];
    while let Ok(count @ 1..) = errors.read(&mut some) {
        let mut kept = lock(kept);
        kept.extend_from_slice(&some[..count]);
        let forgotten = kept.len().saturating_sub(STDERR_KEPT);
        kept.drain(..forgotten);
    }
}
