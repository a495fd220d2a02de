//! Vectors as plain arrays, which the compiler turns into SIMD instructions. The module also has
//! memory aligned for them.

use std::ops::{Add, Deref, DerefMut, Sub};

/// Vector of `N` numbers. If `FUSED` is true, a multiply-add rounds once. Otherwise it rounds
/// twice. The results do not depend on `N`.
#[derive(Clone, Copy)]
pub(super) struct Lanes<const N: usize, const FUSED: bool>(pub [f32; N]);

impl<const N: usize, const FUSED: bool> Lanes<N, FUSED> {
    pub(super) const ZERO: Self = Lanes([0.0; N]);

    /// Returns `self * factor + addend`, element by element.
    #[inline(always)]
    pub(super) fn mul_add(self, factor: f32, addend: Self) -> Self {
        self.zip(
            addend,
            |value, addend| if FUSED { value.mul_add(factor, addend) } else { value * factor + addend },
        )
    }

    /// Returns the maximum of two vectors, element by element. `f32::max` would be slower, because
    /// it handles NaN.
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

/// Array of values aligned to a cache line, so that no vector spans two cache lines.
pub(super) struct Aligned {
    values: Vec<f32>,
    start: usize,
    len: usize,
}

/// Number of `f32` values in a cache line of 64 bytes.
const LINE: usize = 64 / size_of::<f32>();

impl Aligned {
    pub(super) fn zeros(len: usize) -> Aligned {
        let values = vec![0.0; len + LINE];
        // `align_offset` may fail; the values then stay unaligned.
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
