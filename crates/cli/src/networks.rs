//! Networks that are embedded in the program.

use catapult_arena::rating::Rating;
use catapult_engine::uci::Ladder;
use catapult_network::hash;
use serde::Deserialize;

/// A network embedded for one game, with any of its options. `game` is the game's name. `name` is
/// the file's name in `models/`, without extension. `bytes` is the file's content.
#[derive(Clone, Copy)]
pub(crate) struct Embedded {
    pub game: &'static str,
    pub name: &'static str,
    pub bytes: &'static [u8],
    /// Content of the file with the network's Elo ratings in the game, by number of simulations.
    /// Empty if the network has not been rated.
    ladder: &'static str,
}

impl Embedded {
    /// Returns the network's Elo ratings by number of simulations, or `None` if the network has not
    /// been rated.
    pub(crate) fn ladder(&self) -> Option<Ladder> {
        // A test parses all ladders.
        read_ladder(self.ladder, self.game, &hash(self.bytes)).ok()
    }
}

/// Value of `UCI_Elo` for alpha-beta at depth 1 with quiescence search. In ratings of `catapult
/// rate`, this player has Elo 0. The offset is needed because `UCI_Elo` has no negative values.
const ZERO: f64 = 1000.0;

/// Returns the Elo ratings, by number of simulations, of the network with the BLAKE3 hash `hash` in
/// the variant `game`. `ratings` is the content of a `ratings.json` of `catapult rate`.
///
/// # Errors
/// A field is missing, the ratings are of another variant, have another player at 0, or lack the
/// network. The error is a message.
pub(crate) fn read_ladder(ratings: &str, game: &str, hash: &str) -> Result<Ladder, String> {
    #[derive(Deserialize)]
    struct Ratings {
        variant: String,
        zero: String,
        players: Vec<Player>,
    }
    #[derive(Deserialize)]
    struct Player {
        simulations: Option<u32>,
        id: String,
        rating: Rating,
    }
    let Ratings { variant, zero, players } =
        serde_json::from_str(ratings).map_err(|error| error.to_string())?;
    if variant != game {
        return Err(format!("it is of `{variant}` and not of `{game}`"));
    }
    if zero != "alphabeta:1q" {
        return Err(format!("`{zero}` stands at 0; it must be alphabeta:1q"));
    }
    // A player's id consists of the network's hash, the simulations, and any changed search
    // settings.
    let is_plain = |player: &Player, simulations| player.id == format!("{hash}:{simulations}");
    let rungs = players.into_iter().filter_map(|player| match (player.simulations, player.rating) {
        (Some(simulations), Rating::Value { elo, .. }) if is_plain(&player, simulations) => {
            Some((simulations, ZERO + elo))
        }
        _ => None,
    });
    Ladder::new(rungs.collect())
}

macro_rules! embedded {
    ($($game:literal $name:literal $($ladder:literal)?;)*) => {
        [$(Embedded {
            game: $game,
            name: $name,
            bytes: include_bytes!(concat!("../../../models/", $name, ".safetensors")),
            ladder: concat!($(include_str!(concat!("../../../models/", $ladder)))?),
        }),*]
    };
}

/// The embedded networks, the same as those of the web page (web/src/networks.json).
pub(crate) const EMBEDDED: [Embedded; 5] = embedded! {
    "chess" "all-rules" "all-rules.chess.ladder.json";
    "chesspp" "all-rules" "all-rules.chesspp.ladder.json";
    "century" "century-long";
    "half" "half-longer";
    "maxim" "maxim-long";
};

#[cfg(test)]
mod tests {
    use super::{EMBEDDED, hash, read_ladder};
    use std::collections::BTreeMap;

    #[test]
    fn the_page_has_the_same() {
        let page: BTreeMap<String, String> =
            serde_json::from_str(include_str!("../../../web/src/networks.json")).unwrap();
        let ours: BTreeMap<_, _> =
            EMBEDDED.iter().map(|one| (one.game.to_owned(), one.name.to_owned())).collect();
        assert_eq!(page, ours);
    }

    #[test]
    fn ladders_are_of_their_networks() {
        for network in EMBEDDED.iter().filter(|network| !network.ladder.is_empty()) {
            let ladder = read_ladder(network.ladder, network.game, &hash(network.bytes)).unwrap();
            assert!(ladder.simulations(0.0) < ladder.simulations(4000.0), "{}", network.name);
        }
    }

    #[test]
    fn a_ladder_is_read_from_ratings() {
        let player = |simulations: &str, rating: &str| {
            format!(r#"{{"id":"abc:{simulations}","simulations":{simulations},"rating":{rating},"games":9}}"#)
        };
        let value = |elo: i32| format!(r#"{{"kind":"value","elo":{elo},"low":null,"high":null}}"#);
        let ratings = |zero: &str| {
            let players = [
                player("64", &value(900)),
                player("4", &value(100)),
                player("1", r#"{"kind":"at-most","elo":-50.0}"#),
                player("null", &value(0)),
            ];
            format!(r#"{{"variant":"half","zero":"{zero}","players":[{}]}}"#, players.join(","))
        };
        let ladder = read_ladder(&ratings("alphabeta:1q"), "half", "abc").unwrap();
        // 4 simulations are rated 1100 and 64 are rated 1900. 16 are halfway on the logarithmic
        // scale.
        assert_eq!([900.0, 1500.0, 2000.0].map(|elo| ladder.simulations(elo)), [4, 16, 64]);
        let refused = |ratings: &str, game: &str, hash: &str| read_ladder(ratings, game, hash).unwrap_err();
        assert!(refused(&ratings("alphabeta:1q"), "chess", "abc").contains("`half`"));
        assert!(refused(&ratings("random"), "half", "abc").contains("`random`"));
        assert!(refused(&ratings("alphabeta:1q"), "half", "def").contains("0 rungs"), "another network's");
        refused("{}", "half", "abc");
    }
}
