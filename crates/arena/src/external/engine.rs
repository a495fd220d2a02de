//! External UCI program, run as a child process.

use super::ExternalSpec;
use crate::reply::{Score, Thought};
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::RangeInclusive;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Time limit for a program's start. The limit also applies to `isready`, because a program may
/// load its networks then.
const START: Duration = Duration::from_secs(30);
/// Time that a program has to end after `quit`. Afterwards it is killed.
const END: Duration = Duration::from_millis(300);
/// Maximum number of bytes in a line. A longer line is split into several.
const LONGEST_LINE: u64 = 1 << 16;
/// Number of output lines that are buffered. A program that writes more is blocked until lines are
/// read.
const LINES: usize = 1 << 12;

/// Reason for which an external program gave no reply.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The program has ended, or closed its input or output. The text is its exit status in
    /// brackets, or empty.
    #[error("it ended{0}")]
    Ended(String),
    /// The program did not reply within a time limit.
    #[error("no `{awaited}` within {} ms", waited.as_millis())]
    Late {
        /// First word of the expected reply.
        awaited: &'static str,
        /// Time limit that the program exceeded.
        waited: Duration,
    },
    /// The program could not be started, does not play the variant, or lacks an option or its value.
    #[error("{0}")]
    Unfit(String),
}

/// A running external program. When dropped, it receives `quit`. If it does not end in time, it is
/// killed, with the programs that it has started.
pub(super) struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// Name that the program reports, or its command if it reports none.
    pub name: String,
    /// Options that the program declares.
    options: Vec<Declared>,
}

/// Option that a program declares.
struct Declared {
    name: String,
    /// UCI type, such as `spin`.
    kind: String,
    /// Allowed values of a `spin`.
    range: RangeInclusive<i64>,
    /// Allowed values of a `combo`.
    values: Vec<String>,
}

impl Declared {
    /// Reads the text after `option name `.
    fn read(text: &str) -> Declared {
        let (name, rest) = text.split_once(" type ").unwrap_or((text, ""));
        let mut words = rest.split_whitespace();
        let kind = words.next().unwrap_or("").to_owned();
        let bound = |key| words.clone().skip_while(|word| *word != key).nth(1)?.parse().ok();
        let range = bound("min").unwrap_or(i64::MIN)..=bound("max").unwrap_or(i64::MAX);
        let values = rest.split(" var ").skip(1).map(|value| value.trim().to_owned());
        Declared { name: name.trim().to_owned(), kind, range, values: values.collect() }
    }

    /// Returns the allowed values in words if `value` is not one of them.
    fn allowed_instead_of(&self, value: &str) -> Option<String> {
        let (fits, allowed) = match self.kind.as_str() {
            "spin" => {
                let fits = value.parse().is_ok_and(|number| self.range.contains(&number));
                (fits, format!("a whole number from {} to {}", self.range.start(), self.range.end()))
            }
            "check" => (matches!(value, "true" | "false"), "true, false".to_owned()),
            "combo" => {
                (self.values.iter().any(|one| one.eq_ignore_ascii_case(value)), self.values.join(", "))
            }
            _ => return None,
        };
        (!fits).then_some(allowed)
    }
}

impl Engine {
    /// Starts a program and sets the options in `spec`.
    ///
    /// The option `UCI_Variant` is set to `variant` if the program has it. A program that lists its
    /// variants must list `variant` or its game without options. A program without `UCI_Variant`
    /// plays only chess.
    ///
    /// # Errors
    /// The program can't be started, lacks the variant or an option, declares that it does not take
    /// an option's value, or prints an `info string error` line while its options are set.
    pub(super) fn start(spec: &ExternalSpec, variant: &str) -> Result<Engine, Failure> {
        let Some((program, words)) = spec.command.split_first() else {
            return Err(Failure::Unfit("the command is missing".to_owned()));
        };
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C in a terminal reaches its whole process group, and would end the program too.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .map_err(|error| Failure::Unfit(format!("`{program}` can't be started: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failure::Unfit(format!("`{program}` has no input or output")));
        };
        let lines = read_lines(output, LONGEST_LINE, LINES);
        let mut engine = Engine { child, input, lines, name: program.clone(), options: Vec::new() };
        engine.introduce()?;
        engine.set_up(spec, variant)?;
        Ok(engine)
    }

    fn introduce(&mut self) -> Result<(), Failure> {
        self.send("uci")?;
        let deadline = Instant::now() + START;
        loop {
            let line = self.receive("uciok", deadline, START)?;
            if let Some(name) = line.strip_prefix("id name ") {
                self.name = name.to_owned();
            } else if let Some(option) = line.strip_prefix("option name ") {
                self.options.push(Declared::read(option));
            } else if line == "uciok" {
                return Ok(());
            }
        }
    }

    fn set_up(&mut self, spec: &ExternalSpec, variant: &str) -> Result<(), Failure> {
        let variants = self.options.iter().find(|option| option.name == "UCI_Variant");
        // A program can't list every combination of options.
        let game = variant.split('+').next().unwrap_or(variant);
        let is_listed = |known: &[String]| known.iter().any(|one| one == variant || one == game);
        match variants {
            Some(known) if known.values.is_empty() || is_listed(&known.values) => {
                self.send(&format!("setoption name UCI_Variant value {variant}"))?;
            }
            None if variant == "chess" => {}
            Some(known) => {
                let known = known.values.join(", ");
                let reason = format!("{} does not play {variant}; it plays {known}", self.name);
                return Err(Failure::Unfit(reason));
            }
            None => return Err(Failure::Unfit(format!("{} plays chess alone, not {variant}", self.name))),
        }
        for (name, value) in &spec.options {
            let known = self.options.iter().find(|known| known.name.eq_ignore_ascii_case(name));
            let Some(known) = known else {
                let known: Vec<&str> = self.options.iter().map(|option| option.name.as_str()).collect();
                let reason = format!("{} has no option `{name}`; it has {}", self.name, known.join(", "));
                return Err(Failure::Unfit(reason));
            };
            if let Some(allowed) = known.allowed_instead_of(value) {
                let reason = format!("{}: {name} = {value}; allowed: {allowed}", self.name);
                return Err(Failure::Unfit(reason));
            }
            self.send(&format!("setoption name {} value {value}", known.name))?;
        }
        match self.wait_until_ready()? {
            None => Ok(()),
            Some(error) => Err(Failure::Unfit(format!("{}: {error}", self.name))),
        }
    }

    /// Announces a new game to the program and waits until it is ready.
    pub(super) fn new_game(&mut self) -> Result<(), Failure> {
        self.send("ucinewgame")?;
        self.wait_until_ready().map(drop)
    }

    /// Sends `isready` and waits for `readyok`. Returns the text of the first `info string error`
    /// line before it.
    fn wait_until_ready(&mut self) -> Result<Option<String>, Failure> {
        self.send("isready")?;
        let deadline = Instant::now() + START;
        let mut error = None;
        loop {
            let line = self.receive("readyok", deadline, START)?;
            if line == "readyok" {
                return Ok(error);
            }
            error = error.or_else(|| line.strip_prefix("info string error: ").map(str::to_owned));
        }
    }

    /// Sends the lines `position` and `go`, and waits at most `most` for the move. Returns the word
    /// after `bestmove`, the time since `go`, and the latest depth, nodes and score of the best
    /// line.
    pub(super) fn think(
        &mut self,
        position: &str,
        go: &str,
        most: Duration,
    ) -> Result<(String, Thought), Failure> {
        self.send(position)?;
        let began = Instant::now();
        self.send(&format!("go {go}"))?;
        let mut thought = Thought::default();
        loop {
            let line = self.receive("bestmove", began + most, most)?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("bestmove") => {
                    thought.seconds = Some(began.elapsed().as_secs_f64());
                    return Ok((words.next().unwrap_or("(nothing)").to_owned(), thought));
                }
                Some("info") => read_info(words, &mut thought),
                _ => {}
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<(), Failure> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|_| self.ended())
    }

    fn receive(
        &mut self,
        awaited: &'static str,
        deadline: Instant,
        waited: Duration,
    ) -> Result<String, Failure> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            // A program that never stops writing is late, too.
            Ok(line) if !left.is_zero() => Ok(line),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
            Ok(_) | Err(RecvTimeoutError::Timeout) => Err(Failure::Late { awaited, waited }),
        }
    }

    /// Waits 10 ms for the program's end. Returns [`Failure::Ended`], with the exit status if the
    /// program has ended by then.
    fn ended(&mut self) -> Failure {
        std::thread::sleep(Duration::from_millis(10));
        let how = self.child.try_wait().ok().flatten().map(|status| format!(" ({status})"));
        Failure::Ended(how.unwrap_or_default())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.send("quit");
        let deadline = Instant::now() + END;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        // A script may have started the engine. The standard library can't kill a process group.
        #[cfg(unix)]
        let _ = Command::new("sh").args(["-c", &format!("kill -s KILL -- -{}", self.child.id())]).output();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the lines of a UCI engine or user interface on a separate thread. Returns the receiver of
/// the trimmed lines, which is disconnected at the end of the input.
///
/// A line of more than `longest` bytes is split into several. At most `ahead` lines are buffered.
pub fn read_lines(input: impl Read + Send + 'static, longest: u64, ahead: usize) -> Receiver<String> {
    let (to, lines) = sync_channel(ahead);
    std::thread::spawn(move || {
        let mut input = BufReader::new(input);
        let mut line = Vec::new();
        loop {
            line.clear();
            match input.by_ref().take(longest).read_until(b'\n', &mut line) {
                Ok(1..) if to.send(String::from_utf8_lossy(&line).trim().to_owned()).is_ok() => {}
                _ => return,
            }
        }
    });
    lines
}

/// Copies depth, nodes and score from an `info` line about the best line of play into `thought`.
/// Values that the `info` line lacks stay unchanged.
pub(super) fn read_info<'a>(words: impl Iterator<Item = &'a str>, thought: &mut Thought) {
    let words: Vec<&str> = words.take_while(|&word| word != "pv" && word != "string").collect();
    let value = |key: &str| {
        let at = words.iter().position(|&word| word == key)?;
        words.get(at + 1).copied()
    };
    if value("multipv").is_some_and(|number| number != "1") {
        return;
    }
    let number = |key: &str| value(key).and_then(|number| number.parse().ok());
    thought.depth = number("depth").map(|depth: u64| depth as u32).or(thought.depth);
    thought.nodes = number("nodes").or(thought.nodes);
    let score = words.windows(3).find(|words| words[0] == "score").and_then(|words| {
        let number = words[2].parse().ok()?;
        match words[1] {
            "cp" => Some(Score::Cp(number)),
            "mate" => Some(Score::Mate(number)),
            _ => None,
        }
    });
    thought.score = score.or(thought.score);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_that_the_program_declares() {
        let allowed = |option: &str, value: &str| Declared::read(option).allowed_instead_of(value);
        let check = "UCI_LimitStrength type check default false";
        assert_eq!(allowed(check, "true"), None);
        assert_eq!(allowed(check, "True"), Some("true, false".to_owned()));
        let combo = "Style type combo default Solid var Solid var Very Risky";
        assert_eq!(allowed(combo, "very risky"), None);
        assert_eq!(allowed(combo, "Wild"), Some("Solid, Very Risky".to_owned()));
        let spin = "UCI_Elo type spin default 1350 min 1350 max 2850";
        assert_eq!(allowed(spin, "1350"), None);
        assert_eq!(allowed(spin, "800"), Some("a whole number from 1350 to 2850".to_owned()));
        assert_eq!(allowed("Depth type spin default 1", "-5"), None);
        assert_eq!(allowed("EvalFile type string default <empty>", "any"), None);
    }
}
