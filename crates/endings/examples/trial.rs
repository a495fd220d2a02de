fn main() {
    for name in std::env::args().skip(1) {
        catapult_endings::trial(name.parse().unwrap());
    }
}
