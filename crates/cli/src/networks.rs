//! The networks that come with the program.

/// A network: the game it was trained on, the name of its file in models/ without the ending, and its bytes.
#[derive(Clone, Copy)]
pub struct Embedded {
    pub game: &'static str,
    #[cfg_attr(not(feature = "server"), allow(dead_code))]
    pub name: &'static str,
    pub bytes: &'static [u8],
}

macro_rules! embedded {
    ($($game:literal $name:literal;)*) => {
        [$(Embedded {
            game: $game,
            name: $name,
            bytes: include_bytes!(concat!("../../../models/", $name, ".safetensors")),
        }),*]
    };
}

/// One for each game, which plays it where no other is named, and large ones: those that the page names too (web/src/networks.json,
/// large.json).
pub const EMBEDDED: [Embedded; 6] = embedded! {
    "chess" "chess-quickstart";
    "chesspp" "chesspp-quickstart";
    "century" "century-quickstart";
    "half" "half-small";
    "maxim" "maxim-small";
    "chesspp" "chesspp-medium";
};

#[cfg(test)]
mod tests {
    use super::EMBEDDED;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn the_page_has_the_same() {
        let small = include_str!("../../../web/src/networks.json");
        let large = include_str!("../../../web/src/large.json");
        let of_page = |text| serde_json::from_str::<BTreeMap<String, String>>(text).unwrap();
        let page: BTreeSet<_> = of_page(small).into_iter().chain(of_page(large)).collect();
        let ours: BTreeSet<_> =
            EMBEDDED.iter().map(|one| (one.game.to_owned(), one.name.to_owned())).collect();
        assert_eq!(page, ours);
        for (game, name) in of_page(small) {
            let first = EMBEDDED.iter().find(|one| one.game == game).map(|one| one.name);
            assert_eq!(first, Some(name.as_str()), "what plays where no other is named");
        }
    }
}
