//! Lets the binary find the libtorch it was built with, also when it is not started by `scripts/catapult`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=LIBTORCH");
    // The linkers of Windows have no such argument.
    let is_windows = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "windows");
    if let (Ok(libtorch), false) = (std::env::var("LIBTORCH"), is_windows) {
        println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{libtorch}/lib");
    }
}
