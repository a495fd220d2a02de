//! Differences between two configs, key by key.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Maximum number of characters of a string in a message.
const LONGEST: usize = 200;

/// A config key whose values differ. Nested keys are written as paths, such as
/// `learning.batch_rows`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// Path of the key, such as `learning.batch_rows`.
    pub key: String,
    /// Value in the earlier config, or `None` if the key was absent.
    pub before: Option<Value>,
    /// Value in the current config, or `None` if the key is absent.
    pub now: Option<Value>,
}

impl Difference {
    /// Returns true if this difference's key equals one of `keys` or is nested below one.
    pub fn is_under(&self, keys: &[&str]) -> bool {
        keys.iter().any(|known| {
            self.key.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    /// Returns true if the key is new or its list was only extended at the end.
    pub fn is_addition(&self) -> bool {
        match (&self.before, &self.now) {
            (None, _) => true,
            (Some(Value::Array(before)), Some(Value::Array(now))) => now.starts_with(before),
            _ => false,
        }
    }
}

impl fmt::Display for Difference {
    /// Formats the difference for a message, such as `learning.batch_rows (was 16, is 8)`. Long
    /// strings, such as the content of a file, are shortened.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Option<Value>| match value {
            None => "nothing".to_owned(),
            Some(Value::String(text)) if text.chars().count() > LONGEST => {
                let shown = Value::from(format!("{text:.LONGEST$}"));
                format!("{shown}... ({} characters)", text.chars().count())
            }
            Some(value) => value.to_string(),
        };
        write!(f, "{} (was {}, is {})", self.key, text(&self.before), text(&self.now))
    }
}

/// Returns the keys whose values differ between two configs, in alphabetical order.
///
/// If all tables of a list have a `name`, they are compared by name, so their order does not
/// matter. A null value counts as absent.
pub fn differences<T: Serialize>(before: &T, now: &T) -> Vec<Difference> {
    let (mut before, mut now) = (flat(before), flat(now));
    let keys: BTreeSet<String> = before.keys().chain(now.keys()).cloned().collect();
    let of_key = |key: String| Difference { before: before.remove(&key), now: now.remove(&key), key };
    keys.into_iter().map(of_key).filter(|one| one.before != one.now).collect()
}

/// Returns all keys of a config, as paths, with their values. The conversion through JSON text
/// keeps the digits of an `f32`: 0.1 stays 0.1.
fn flat<T: Serialize>(value: &T) -> BTreeMap<String, Value> {
    let text = serde_json::to_string(value).unwrap_or_default();
    let mut keys = BTreeMap::new();
    flatten(String::new(), serde_json::from_str(&text).unwrap_or_default(), &mut keys);
    keys
}

fn flatten(path: String, value: Value, keys: &mut BTreeMap<String, Value>) {
    let name = |value: &Value| value.get("name").and_then(Value::as_str).map(str::to_owned);
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        // The value is absent.
        Value::Null => {}
        Value::Object(table) => table.into_iter().for_each(|(key, value)| flatten(below(&key), value, keys)),
        Value::Array(list) if !list.is_empty() && list.iter().all(|one| name(one).is_some()) => {
            for one in list {
                let name = name(&one).unwrap_or_default();
                flatten(below(&name), one, keys);
            }
        }
        value => {
            keys.insert(path, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn texts(before: Value, now: Value) -> Vec<String> {
        differences(&before, &now).iter().map(Difference::to_string).collect()
    }

    #[test]
    fn differences_have_values_before_and_now() {
        let before = json!({"seed": 1, "window": {"rows": 5, "plies": [1, 2]}, "old": "x", "none": null});
        let now = json!({"seed": 1, "window": {"rows": 6, "plies": [1, 2, 3]}, "new": {"a": 0.1}});
        assert_eq!(
            texts(before, now),
            [
                "new.a (was nothing, is 0.1)",
                "old (was \"x\", is nothing)",
                "window.plies (was [1,2], is [1,2,3])",
                "window.rows (was 5, is 6)"
            ]
        );
        let long = format!("suite (was nothing, is \"{}\"... (201 characters))", "x".repeat(200));
        assert_eq!(texts(json!({}), json!({"suite": "x".repeat(201)})), [long]);
        assert_eq!(texts(json!({"a": null}), json!({})), [""; 0]);
        assert_eq!(differences(&0.1f32, &0.1f32), []);
    }

    #[test]
    fn tables_with_names_are_compared_by_name() {
        let agent = |name: &str, seeds: &[u32]| json!({"name": name, "seeds": seeds});
        let before = json!({"agents": [agent("a", &[1]), agent("b", &[1])]});
        assert_eq!(texts(before.clone(), json!({"agents": [agent("b", &[1]), agent("a", &[1])]})), [""; 0]);
        let now = json!({"agents": [agent("b", &[1, 2]), agent("a", &[2])]});
        assert_eq!(
            texts(before, now),
            ["agents.a.seeds (was [1], is [2])", "agents.b.seeds (was [1], is [1,2])"]
        );
    }

    #[test]
    fn additions_differ_from_changes() {
        let one =
            |before: Value, now: Value| differences(&json!({"k": before}), &json!({"k": now}))[0].clone();
        assert!(one(Value::Null, json!(1)).is_addition());
        assert!(one(json!([1, 2]), json!([1, 2, 3])).is_addition());
        assert!(!one(json!([1, 2]), json!([2, 1, 3])).is_addition());
        assert!(!one(json!([1, 2]), json!([1])).is_addition());
        assert!(!one(json!(1), json!(2)).is_addition());
        assert!(!one(json!(1), Value::Null).is_addition());
    }

    #[test]
    fn a_key_is_under_its_tables_and_no_other() {
        let found = differences(&json!({"machine": {"threads": 1}}), &json!({"machine": {"threads": 2}}));
        assert!(found[0].is_under(&["machine"]) && found[0].is_under(&["seed", "machine.threads"]));
        assert!(!found[0].is_under(&["mach", "machine.thread", "machine.threads.x"]));
    }
}
