//! Exponential, sum, maximum and softmax in vectorisable form, and 16-bit probabilities.

/// Returns e^x within 2 units in the last place, with x clamped to -87..=88. Unlike `f32::exp`, it
/// returns the same bits on every machine, and loops that call it vectorise.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Adding 1.5 * 2^23 rounds to the nearest integer and leaves it in the low bits.
    const ROUND: f32 = 12_582_912.0;
    // ln 2 in two parts, so that k * LN2_HIGH is exact.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 88.0);
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let k = rounded - ROUND;
    let r = x - k * LN2_HIGH - k * LN2_LOW;
    // Minimax polynomial of e^r on |r| <= ln 2 / 2 (Cephes, expf).
    let mut p = 1.987_569_1e-4;
    p = p * r + 1.398_199_9e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 1.666_666_5e-1;
    p = p * r + 0.5;
    let mantissa = p * r * r + r + 1.0;
    let exponent = rounded.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127) << 23;
    mantissa * f32::from_bits(exponent)
}

const LANES: usize = 8;

/// Returns the sum of the values. The order of the additions is fixed, and the compiler can
/// vectorise it.
#[inline(always)]
pub(crate) fn sum(values: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value;
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane += value;
    }
    lanes.iter().sum()
}

/// Returns the largest value, or negative infinity for an empty slice. It skips NaN.
#[inline(always)]
pub(crate) fn max(values: &[f32]) -> f32 {
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, value);
        }
    }
    for (lane, &value) in lanes.iter_mut().zip(rest) {
        *lane = larger(*lane, value);
    }
    lanes.into_iter().fold(f32::NEG_INFINITY, larger)
}

/// Returns the first index of the largest value, and the value. It skips NaN. For an empty slice it
/// returns index 0 and negative infinity.
#[inline(always)]
pub(crate) fn argmax(values: &[f32]) -> (usize, f32) {
    let best = max(values);
    (values.iter().position(|&value| value == best).unwrap_or(0), best)
}

/// Converts logits into probabilities in place. If the maximum or the sum is not finite, all
/// probabilities become equal.
pub fn softmax(values: &mut [f32]) {
    let top = max(values);
    for value in &mut *values {
        *value = exp(*value - top);
    }
    let total = sum(values);
    if !top.is_finite() || !total.is_finite() {
        let equal = 1.0 / values.len() as f32;
        values.fill(equal);
        return;
    }
    let scale = 1.0 / total;
    for value in values {
        *value *= scale;
    }
}

/// Probability in 16 bits: 5 bits of exponent and 11 bits of mantissa. The range is 2^-31 to 1 with
/// a relative error of at most 2^-12.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Prior(u16);

impl Prior {
    const OFFSET: u32 = (127 - 31) << 23;

    #[inline(always)]
    #[allow(clippy::manual_clamp)]
    pub(crate) fn new(probability: f32) -> Prior {
        // `clamp` would let NaN through.
        let bits = probability.max(f32::from_bits(Self::OFFSET)).min(1.0).to_bits();
        Prior(((bits - Self::OFFSET + (1 << 11)) >> 12) as u16)
    }

    #[inline(always)]
    pub(crate) fn get(self) -> f32 {
        f32::from_bits(((self.0 as u32) << 12) + Self::OFFSET)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_agrees_with_the_library() {
        for i in -86_000..88_000 {
            let x = i as f32 / 1000.0;
            let exact = (x as f64).exp();
            assert!((exp(x) as f64 / exact - 1.0).abs() < 3e-7, "{x}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(-1e30) < 1e-37);
    }

    #[test]
    fn sums_and_maxima() {
        for n in 0..40 {
            let values: Vec<f32> = (0..n).map(|i| ((i * 7) % 23) as f32).collect();
            assert_eq!(sum(&values), values.iter().sum::<f32>());
            let (at, best) = argmax(&values);
            let expected = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            assert_eq!((max(&values), best), (expected, expected));
            assert!(n == 0 || at == values.iter().position(|&x| x == expected).unwrap());
        }
        assert_eq!(argmax(&[1.0, f32::NAN, 3.0, 3.0]), (2, 3.0));
    }

    #[test]
    fn priors_round_to_twelve_bits() {
        assert_eq!(Prior::new(1.0).get(), 1.0);
        assert_eq!(Prior::new(0.25).get(), 0.25);
        let mut p = 1.0f32;
        while p > 1e-9 {
            assert!((Prior::new(p).get() / p - 1.0).abs() <= 1.0 / 4096.0, "{p}");
            p *= 0.937;
        }
        assert!(Prior::new(0.0).get() > 0.0);
        assert_eq!(Prior::new(f32::NAN), Prior::new(0.0));
    }

    #[test]
    fn softmax_by_hand_and_of_nonsense() {
        let mut values = [0.0, 3.0f32.ln(), f32::NEG_INFINITY];
        softmax(&mut values);
        assert!((values[0] - 0.25).abs() < 1e-6 && (values[1] - 0.75).abs() < 1e-6 && values[2] < 1e-30);
        let mut nonsense = [f32::NAN, 1.0];
        softmax(&mut nonsense);
        assert_eq!(nonsense, [0.5, 0.5]);
    }
}
