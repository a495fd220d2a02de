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

/// One for each game: those that the page names too (web/src/networks.json).
pub const EMBEDDED: [Embedded; 5] = embedded! {
    "chess" "chess-quickstart";
    "chesspp" "chesspp-quickstart";
    "century" "century-quickstart";
    "half" "half-small";
    "maxim" "maxim-small";
};

#[cfg(test)]
mod tests {
    use super::EMBEDDED;
    use std::collections::BTreeMap;

    #[test]
    fn the_page_has_the_same() {
        let page: BTreeMap<String, String> =
            serde_json::from_str(include_str!("../../../web/src/networks.json")).unwrap();
        let ours = EMBEDDED.iter().map(|one| (one.game.to_owned(), one.name.to_owned())).collect();
        assert_eq!(page, ours);
    }
}
