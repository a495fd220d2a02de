//! Adds the library folder of the libtorch in `LIBTORCH` to the binary as its run path (rpath). The
//! binary then also starts without `scripts/catapult`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=LIBTORCH");
    // Windows linkers have no such argument.
    let is_windows = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "windows");
    if let (Ok(libtorch), false) = (std::env::var("LIBTORCH"), is_windows) {
        println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{libtorch}/lib");
    }
}
