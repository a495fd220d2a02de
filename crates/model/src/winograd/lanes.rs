//! Numbers computed side by side, and memory for them: plain arrays, which the compiler turns into vector instructions.

use std::ops::{Add, Deref, DerefMut, Sub};

/// `N` numbers. With `FUSED` a product is added without being rounded first, so that where this is done results are the
/// same, bit for bit, whatever the width of the vectors.
#[derive(Clone, Copy)]
pub(super) struct Lanes<const N: usize, const FUSED: bool>(pub [f32; N]);

impl<const N: usize, const FUSED: bool> Lanes<N, FUSED> {
    pub(super) const ZERO: Self = Lanes([0.0; N]);

    /// `self * factor + addend`.
    #[inline(always)]
    pub(super) fn mul_add(self, factor: f32, addend: Self) -> Self {
        self.zip(
            addend,
            |value, addend| if FUSED { value.mul_add(factor, addend) } else { value * factor + addend },
        )
    }

    /// The larger of each pair. (`f32::max` minds NaN and so costs more.)
    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    pub(super) fn relu(self) -> Self {
        self.max(Self::ZERO)
    }

    #[inline(always)]
    fn zip(mut self, other: Self, of: impl Fn(f32, f32) -> f32) -> Self {
        for lane in 0..N {
            self.0[lane] = of(self.0[lane], other.0[lane]);
        }
        self
    }
}

impl<const N: usize, const FUSED: bool> Add for Lanes<N, FUSED> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl<const N: usize, const FUSED: bool> Sub for Lanes<N, FUSED> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

/// Values that begin where a line of the cache begins, so that no vector lies across two.
pub(super) struct Aligned {
    values: Vec<f32>,
    start: usize,
    len: usize,
}

/// Numbers in a line of the cache.
const LINE: usize = 64 / size_of::<f32>();

impl Aligned {
    pub(super) fn zeros(len: usize) -> Aligned {
        let values = vec![0.0; len + LINE];
        // `align_offset` may decline to answer; then the values lie where they lie.
        let offset = values.as_ptr().align_offset(LINE * size_of::<f32>());
        Aligned { start: if offset < LINE { offset } else { 0 }, values, len }
    }
}

impl Deref for Aligned {
    type Target = [f32];

    #[inline(always)]
    fn deref(&self) -> &[f32] {
        &self.values[self.start..][..self.len]
    }
}

impl DerefMut for Aligned {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.values[self.start..][..self.len]
    }
}
