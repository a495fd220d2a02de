//! The command `catapult system doctor`: reports libtorch, devices and their speed.

use catapult_encoding::Encode;
use catapult_network::{
    Architecture, Device, EvaluatorSettings, Network, device, raw_evaluations, try_libtorch, usable_threads,
};
use catapult_rules::ChessPp;

pub(crate) fn run() -> anyhow::Result<()> {
    say!("catapult    {}", env!("CARGO_PKG_VERSION"));
    say!("threads     {}", usable_threads(0));
    // Must be the first use of libtorch: a CUDA query before this call would disable CUDA.
    let cuda: Result<Device, _> = "cuda".parse();
    if cfg!(feature = "torch") {
        // The loader has mapped libtorch before `main`, so its path is that of the mapped file.
        match loaded_library("libtorch_cpu") {
            Some(path) => say!("libtorch    {path}"),
            None => say!("libtorch    loaded; its path is unknown on this system"),
        }
        try_libtorch()?;
    } else {
        say!("libtorch    not in this build: networks run in plain Rust and cannot be trained");
    }
    let hardware = match (device::cpu_has_bf16(), cfg!(feature = "torch")) {
        (true, true) => "in hardware: used in training",
        (true, false) => "in hardware, not used without libtorch",
        (false, _) => "not in hardware: f32 is used in training",
    };
    say!("bfloat16    {hardware}");

    let network = Network::untrained(Architecture::tower(64, 6), ChessPp::LAYOUT, 1)?;
    say!("cpu tower   {}", EvaluatorSettings::default().tower());
    let rate = raw_evaluations(&network, EvaluatorSettings::default(), 64, 1.0)?;
    say!("            {rate:.0} evaluations/s: 64x6 network, batch 64, one thread");
    match cuda {
        Ok(cuda) => {
            let rate = raw_evaluations(&network, EvaluatorSettings::on(cuda), 1024, 2.0)?;
            say!(
                "cuda        {} devices; {rate:.0} evaluations/s: 64x6 network, batch 1024",
                device::cuda_devices()
            );
            let waits = match device::waits_for_batches() {
                true => "search and network overlap: the program can wait for single batches",
                false => {
                    "search and network overlap less: the program can only wait for all work of the device"
                }
            };
            say!("            {waits}");
        }
        Err(error) => say!("cuda        none ({error})"),
    }
    Ok(())
}

/// Returns the path of the mapped library whose path contains `name`. Returns `None` if there is
/// none, and on systems other than Linux.
fn loaded_library(name: &str) -> Option<String> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    maps.lines().filter(|line| line.contains(name)).find_map(|line| Some(line[line.find('/')?..].to_owned()))
}
