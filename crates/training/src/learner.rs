//! Training of one generation's network on the training samples in the replay window, which are
//! from the most recent games.

use crate::progress::Watch;
use crate::report::{LearningReport, VariantLosses};
use crate::run::Run;
use crate::{LearningConfig, TrainingError};
use catapult_encoding::Encode;
use catapult_network::{Learner, Losses, TrainingBatch, TrainingRow};
use catapult_rows::{Row, RowEncoder, Sampler, flipped};
use catapult_rules::Variant;
use catapult_seeds::Stream;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

/// Returns the learning rate of a step. `total_steps` is the number of earlier steps of the run,
/// and `run_share` is the run's progress from 0 to 1. The rate is the product of a linear warm-up
/// and half a cosine over the run.
pub(crate) fn learning_rate(config: &LearningConfig, total_steps: u64, run_share: f64) -> f64 {
    let warmup = ((total_steps + 1) as f64 / config.warmup_steps.max(1) as f64).min(1.0);
    let cosine = (1.0 + (std::f64::consts::PI * run_share.clamp(0.0, 1.0)).cos()) / 2.0;
    config.learning_rate * warmup * (config.final_rate_share + (1.0 - config.final_rate_share) * cosine)
}

/// Returns the number of training steps of a generation with `new_rows` new training samples, and
/// `in_window` in its replay window. A batch needs two samples.
pub(crate) fn steps(config: &LearningConfig, new_rows: u64, in_window: usize) -> u64 {
    if in_window < 2 {
        return 0;
    }
    (new_rows as f64 * config.passes / config.batch_rows as f64).round() as u64
}

/// Trains `learner` on a generation's replay window. Of the window's training samples, `new_rows`
/// are from this generation's games. `spent` has the shares of the budget spent before and after
/// this generation. They determine the learning rate instead of the share of generations. `spent`
/// is `None` if the run has no budget.
pub(crate) fn learn<P: Encode>(
    run: &Run,
    learner: &mut Learner,
    generation: u32,
    (window, new_rows): (&[&Row<P>], u64),
    spent: Option<[f64; 2]>,
    watch: Watch<'_>,
) -> Result<LearningReport, TrainingError> {
    let began = Instant::now();
    let config = &run.config().learning;
    let steps = steps(config, new_rows, window.len());
    if steps == 0 {
        watch.progress.warn(&format!(
            "generation {generation}: no training step; {new_rows} new training samples and {} in the window \
             are too few for learning.batch_rows = {} and learning.passes = {}",
            window.len(),
            config.batch_rows,
            config.passes
        ));
    }
    let mut rng = Pcg64Mcg::seed_from_u64(Stream::Learner { generation }.seed(run.config().seed));
    watch.progress.learning(generation, steps);
    let run_share = |step: u64| {
        let done = step as f64 / steps as f64;
        match spent {
            None => (f64::from(generation - 1) + done) / f64::from(run.config().generations),
            Some([before, after]) => before + (after - before) * done,
        }
    };
    let (losses, rate) = make_steps(learner, config, window, steps, &mut rng, run_share, watch)?;
    Ok(LearningReport {
        new_rows,
        window_rows: window.len() as u64,
        steps,
        total_steps: learner.steps(),
        learning_rate: rate,
        losses,
        policy_target_entropy: policy_target_entropy(window),
        arms: BTreeMap::new(),
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// Returns the mean entropy of the policy targets of `window` in nats, weighted by the sampling
/// frequency. The policy loss is a mean over drawn samples, so the weights are those of the draw.
fn policy_target_entropy<P>(window: &[&Row<P>]) -> f64 {
    let entropy = |row: &&Row<P>| -> f64 {
        let own: f64 =
            row.policy.iter().filter(|&&p| p > 0.0).map(|&p| -f64::from(p) * f64::from(p).ln()).sum();
        f64::from(row.frequency) * own
    };
    let drawn: f64 = window.iter().map(|row| f64::from(row.frequency)).sum();
    window.iter().map(entropy).sum::<f64>() / drawn.max(f64::MIN_POSITIVE)
}

/// Makes `steps` training steps on batches drawn from `window`. `run_share` maps the number of a
/// step (from 0) to the run's progress, from 0 to 1. Returns the mean losses and the last learning
/// rate.
pub(crate) fn make_steps<P: Encode>(
    learner: &mut Learner,
    config: &LearningConfig,
    window: &[&Row<P>],
    steps: u64,
    rng: &mut Pcg64Mcg,
    run_share: impl Fn(u64) -> f64,
    watch: Watch<'_>,
) -> Result<(Losses, f64), TrainingError> {
    let mut sums = LossSums::default();
    let mut rate = 0.0;
    let (sender, batches) = sync_channel(0);
    std::thread::scope(|scope| {
        // The next batch is encoded during a step.
        scope.spawn(move || {
            let mut sampler = Sampler::default();
            for _ in 0..steps {
                let drawn = sampler.draw(window, config.batch_rows, rng);
                let drawn: Vec<&Row<P>> = drawn.into_iter().map(|number| window[number as usize]).collect();
                if sender.send(encoded(&drawn, config.mirror, rng)).is_err() {
                    break;
                }
            }
        });
        for (step, batch) in (0..).zip(batches) {
            watch.check()?;
            rate = learning_rate(config, learner.steps(), run_share(step));
            sums.add(&learner.step(&batch?, rate as f32)?);
            watch.progress.step(step + 1, &sums.mean());
        }
        Ok((sums.mean(), rate))
    })
}

/// Encodes training samples as a batch. If `mirror` is true, each sample is flipped left to right
/// with probability 1/2. Samples whose rules forbid it are never flipped.
fn encoded<P: Encode>(
    rows: &[&Row<P>],
    mirror: bool,
    rng: &mut Pcg64Mcg,
) -> Result<TrainingBatch, TrainingError> {
    let mut batch = TrainingBatch::new(P::LAYOUT);
    let mut encoder = RowEncoder::new::<P>();
    for row in rows {
        let encoded = encoder.encode(row, flipped(row, mirror, rng));
        batch.push(&TrainingRow {
            planes: encoded.planes,
            globals: encoded.globals,
            moves: encoded.moves,
            policy: &row.policy,
            wdl: row.wdl,
            value_weight: row.value_weight,
            moves_left: row.moves_left,
            future: encoded.future,
            future_weight: row.future_weight,
        })?;
    }
    Ok(batch)
}

/// Maximum number of training samples on which the losses of an arm are computed. An arm is one of
/// a run's variants.
const ARM_ROWS: usize = 1024;
/// Batch size for computing the losses of one of a run's variants, in training samples.
const ARM_BATCH: usize = 256;

/// Returns the losses of the averaged weights on `rows`, by the name of the variant. Variants with
/// fewer than two training samples are left out.
pub(crate) fn variant_losses<P: Encode>(
    learner: &Learner,
    arms: &[(Variant, P::Rules)],
    rows: &[Row<P>],
) -> Result<BTreeMap<String, VariantLosses>, TrainingError> {
    // Nothing is mirrored, so no random number is drawn.
    let mut rng = Pcg64Mcg::seed_from_u64(0);
    let mut found = BTreeMap::new();
    for &(variant, rules) in arms {
        let all: Vec<&Row<P>> = rows.iter().filter(|row| row.position.rules() == rules).collect();
        // Evenly spaced over the games. A batch needs at least two samples.
        let asked: Vec<&Row<P>> = all.iter().copied().step_by(all.len().div_ceil(ARM_ROWS).max(1)).collect();
        let mut losses = VariantLosses { rows: all.len() as u64, ..Default::default() };
        let batches = asked.chunks(ARM_BATCH).filter(|batch| batch.len() > 1);
        let count: usize = batches.clone().map(<[_]>::len).sum();
        if count == 0 {
            continue;
        }
        for batch in batches {
            let share = batch.len() as f32 / count as f32;
            let of_batch = learner.losses(&encoded(batch, false, &mut rng)?)?;
            losses.policy += share * of_batch.policy;
            losses.value += share * of_batch.value;
        }
        found.insert(variant.to_string(), losses);
    }
    Ok(found)
}

/// Sums of losses over training steps, from which means are computed.
#[derive(Default)]
struct LossSums {
    steps: u64,
    sums: [f64; 6],
}

impl LossSums {
    fn add(&mut self, losses: &Losses) {
        let &Losses { total, policy, value, moves_left, future, gradient_norm } = losses;
        self.steps += 1;
        for (sum, loss) in self.sums.iter_mut().zip([total, policy, value, moves_left, future, gradient_norm])
        {
            *sum += f64::from(loss);
        }
    }

    fn mean(&self) -> Losses {
        let [total, policy, value, moves_left, future, gradient_norm] =
            self.sums.map(|sum| (sum / self.steps.max(1) as f64) as f32);
        Losses { total, policy, value, moves_left, future, gradient_norm }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_rises_and_falls() {
        let config = LearningConfig {
            learning_rate: 1.0,
            warmup_steps: 10,
            final_rate_share: 0.1,
            ..Default::default()
        };
        assert!((learning_rate(&config, 0, 0.0) - 0.1).abs() < 1e-12);
        assert!((learning_rate(&config, 9, 0.0) - 1.0).abs() < 1e-12);
        assert!((learning_rate(&config, 1000, 0.5) - 0.55).abs() < 1e-12);
        assert!((learning_rate(&config, 1000, 1.0) - 0.1).abs() < 1e-12);
    }

    #[test]
    fn the_entropy_of_targets_is_that_of_drawn_samples() {
        let row = |policy: [f32; 2], frequency: f32| Row {
            position: (),
            repetitions: 0,
            moves: Box::default(),
            policy: Box::new(policy),
            wdl: [0.0; 3],
            value_weight: 1.0,
            frequency,
            moves_left: None,
            future: Default::default(),
            future_weight: Default::default(),
        };
        let (sharp, even) = (row([1.0, 0.0], 1.5), row([0.5, 0.5], 0.5));
        let expected = 0.25 * std::f64::consts::LN_2;
        assert!((policy_target_entropy(&[&sharp, &even]) - expected).abs() < 1e-12);
        assert_eq!(policy_target_entropy::<()>(&[]), 0.0);
    }
}
