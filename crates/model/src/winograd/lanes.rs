//! Vectors as plain arrays, which the compiler turns into SIMD instructions. The module also has
//! memory aligned for them.

use std::ops::{Add, Deref, DerefMut, Sub};

/// Vector of `N` numbers. No product is fused with a sum, so all processors give the same bits, and
/// results do not depend on `N`.
#[derive(Clone, Copy)]
pub(super) struct Lanes<T, const N: usize>(pub [T; N]);

impl<T: Copy, const N: usize> Lanes<T, N> {
    #[inline(always)]
    fn zip(mut self, other: Self, of: impl Fn(T, T) -> T) -> Self {
        for lane in 0..N {
            self.0[lane] = of(self.0[lane], other.0[lane]);
        }
        self
    }
}

impl<const N: usize> Lanes<f32, N> {
    pub(super) const ZERO: Self = Lanes([0.0; N]);

    /// Converts integers to the nearest numbers.
    #[inline(always)]
    pub(super) fn of(integers: &[i32; N]) -> Self {
        let mut lanes = Self::ZERO;
        for (lane, &integer) in lanes.0.iter_mut().zip(integers) {
            *lane = integer as f32;
        }
        lanes
    }

    /// Returns the product of two vectors, element by element.
    #[inline(always)]
    pub(super) fn times_each(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    /// Returns `self * factor`.
    #[inline(always)]
    pub(super) fn times(self, factor: f32) -> Self {
        self.times_each(Lanes([factor; N]))
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
}

impl<const N: usize> Lanes<i16, N> {
    /// Returns 2 to the power of `bits`, times `self`.
    #[inline(always)]
    pub(super) fn shifted(self, bits: u32) -> Self {
        self.zip(self, |value, _| value << bits)
    }
}

impl<const N: usize> Add for Lanes<f32, N> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl<const N: usize> Sub for Lanes<f32, N> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

// Sums of a board's values fit 16 bits (`MOST` in `transform`), so they do not wrap.

impl<const N: usize> Add for Lanes<i16, N> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, i16::wrapping_add)
    }
}

impl<const N: usize> Sub for Lanes<i16, N> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, i16::wrapping_sub)
    }
}

/// Array of values aligned to a cache line, so that no vector spans two cache lines.
pub(super) struct Aligned<T> {
    values: Vec<T>,
    start: usize,
    len: usize,
}

/// Size of a cache line in bytes.
const LINE: usize = 64;

impl<T: Copy + Default> Aligned<T> {
    pub(super) fn zeros(len: usize) -> Aligned<T> {
        let line = LINE / size_of::<T>();
        let values = vec![T::default(); len + line];
        // `align_offset` may fail; the values then stay unaligned.
        let offset = values.as_ptr().align_offset(LINE);
        Aligned { start: if offset < line { offset } else { 0 }, values, len }
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.values[self.start..][..self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values[self.start..][..self.len]
    }
}
