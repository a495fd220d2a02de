//! The command `catapult system device check`: compares evaluations on a device, and in integers on
//! the CPU, with `f32` on the CPU.

use super::{Common, shaken};
use anyhow::ensure;
use catapult_arena::random_evaluations;
use catapult_encoding::layout;
use catapult_mcts::Value;
use catapult_network::{EvaluatorSettings, Precision};
use catapult_rules::Variant;
use clap::Args;
use serde::Serialize;

#[derive(Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    common: Common,
    /// Number of positions per layout.
    #[arg(long, default_value_t = 1000)]
    positions: usize,
    /// Channels and blocks of the network.
    #[arg(long, default_value = "64x6")]
    network: String,
}

/// Names of variants, one per layout of the network's input and output.
const VARIANTS: [&str; 4] = ["chesspp", "century", "half", "maxim"];

/// Largest and mean absolute difference between two lists of numbers.
#[derive(Clone, Copy, Serialize)]
struct Differences {
    max: f64,
    mean: f64,
}

/// Returns the allowed differences from `f32` on the CPU. Differences of logits are relative to the
/// largest absolute logit. Differences of win, draw and loss are absolute.
///
/// The bounds follow from rounding. bfloat16 has 8 significant bits. Convolutions on CUDA devices
/// round `f32` to TF32, which has 11 significant bits, and those in plain Rust round to integers of
/// 9 bits. The mean error of a sum of many terms is far smaller.
fn bounds(settings: &EvaluatorSettings) -> Differences {
    match (settings.precision, settings.device.is_cuda(), settings.as_device) {
        (Precision::F32, false, true) => Differences { max: 1e-4, mean: 1e-5 },
        (Precision::F32, true, _) => Differences { max: 2e-2, mean: 2e-3 },
        (Precision::F32, false, false) => Differences { max: 3e-2, mean: 5e-3 },
        _ => Differences { max: 8e-2, mean: 1e-2 },
    }
}

#[derive(Serialize)]
struct Row {
    game: &'static str,
    #[serde(rename = "arithmetic")]
    kernel: String,
    positions: usize,
    logits: Differences,
    values: Differences,
    bounds: Differences,
}

pub(super) fn run(arguments: &CheckArguments) -> anyhow::Result<()> {
    let settings = arguments.common.settings(Precision::F32);
    let mut rows = Vec::new();
    say!(
        "{:9} {:42} {:24} {:26} allowed: max, mean",
        "game",
        "kernel",
        "logits: max, mean",
        "win-draw-loss: max, mean"
    );
    for name in VARIANTS {
        let variant: Variant = name.parse()?;
        let found = check(name, variant, arguments, settings)?;
        for row in &found {
            let Row { kernel, logits, values, bounds, .. } = row;
            say!(
                "{name:9} {kernel:42} {:<10.2e} {:<13.2e} {:<10.2e} {:<15.2e} {:.0e}, {:.0e}",
                logits.max,
                logits.mean,
                values.max,
                values.mean,
                bounds.max,
                bounds.mean
            );
        }
        rows.extend(found);
    }
    arguments.common.write(&rows)?;
    for row in &rows {
        let within = |d: &Differences| d.max <= row.bounds.max && d.mean <= row.bounds.mean;
        ensure!(
            within(&row.logits) && within(&row.values),
            "{} in {}: evaluations differ from f32 on the CPU by more than the bounds",
            row.game,
            row.kernel
        );
    }
    Ok(())
}

fn check(
    game: &'static str,
    variant: Variant,
    arguments: &CheckArguments,
    settings: EvaluatorSettings,
) -> anyhow::Result<Vec<Row>> {
    let network = shaken(&arguments.network, layout(variant))?;
    let answers = |settings| random_evaluations(variant, &network, settings, arguments.positions, 2);
    let plain = EvaluatorSettings { precision: Precision::F32, ..EvaluatorSettings::default() };
    let (exact_logits, exact_values) = answers(EvaluatorSettings { as_device: true, ..plain })?;
    let largest = exact_logits.iter().fold(0f32, |most, logit| most.max(logit.abs()));
    ensure!(
        largest > 0.1 && largest.is_finite(),
        "{game}: logits are too small to compare (largest {largest})"
    );
    let wins = || exact_values.iter().map(|value| value.wdl[0]);
    let spread = wins().fold(0.0, f32::max) - wins().fold(1.0, f32::min);
    ensure!(
        arguments.positions < 20 || spread > 0.005,
        "{game}: values are too similar to compare (spread {spread})"
    );
    let on_device =
        [Precision::F32, Precision::Bf16].map(|precision| EvaluatorSettings { precision, ..settings });
    [plain]
        .into_iter()
        .chain(on_device)
        .map(|settings| {
            let (logits, values) = answers(settings)?;
            let wdl = |values: &[Value]| -> Vec<f32> { values.iter().flat_map(|v| v.wdl).collect() };
            Ok(Row {
                game,
                kernel: settings.kernel(),
                positions: arguments.positions,
                logits: differences(&logits, &exact_logits, largest),
                values: differences(&wdl(&values), &wdl(&exact_values), 1.0),
                bounds: bounds(&settings),
            })
        })
        .collect()
}

fn differences(found: &[f32], exact: &[f32], unit: f32) -> Differences {
    let each = || found.iter().zip(exact).map(|(a, b)| f64::from((a - b).abs() / unit));
    // A NaN exceeds every bound.
    let max = each().fold(0.0, |most, d| if d <= most { most } else { d });
    let max = if each().all(f64::is_finite) { max } else { f64::INFINITY };
    Differences { max, mean: each().sum::<f64>() / exact.len().max(1) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_shares_and_no_number_is_beyond_all() {
        let Differences { max, mean } = differences(&[1.0, 2.0, -4.0], &[1.0, 1.0, -2.0], 4.0);
        assert_eq!((max, mean), (0.5, 0.25));
        assert_eq!(differences(&[f32::NAN, 0.0], &[0.0, 0.0], 1.0).max, f64::INFINITY);
    }
}
