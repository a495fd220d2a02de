//! Lets the binary find the libtorch it was built with, also when it is not started by `scripts/catapult`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=LIBTORCH");
    if let Ok(libtorch) = std::env::var("LIBTORCH") {
        println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{libtorch}/lib");
    }
}
