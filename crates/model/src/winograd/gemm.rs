//! Matrix products of integers, which are the inner loop of the tower.

use super::lanes::Aligned;
#[cfg(target_arch = "x86_64")]
use std::arch::{asm, x86_64::*};

/// Number of rows that are multiplied at once. With two vectors of columns, there are twelve sums.
/// These sums and the factors fit into sixteen registers.
pub(super) const ROWS: usize = 6;

/// Matrix stored by rows. `step` is the distance between the starts of two rows, in values.
pub(super) struct Rows<T> {
    pub values: T,
    pub step: usize,
}

// Values of `DOT`: which instruction computes the dot products of pairs.

/// No particular instruction.
#[cfg(test)]
pub(super) const LOOP: u8 = 0;
/// An instruction that multiplies pairs and adds the two products.
pub(super) const PAIRS: u8 = 1;
/// An instruction that also adds them to the sums.
#[cfg(target_arch = "x86_64")]
pub(super) const FUSED: u8 = 2;

/// Right factor of a matrix product, packed for vectors of one width.
pub(super) struct Packed {
    /// Entries in panels of `2 * lanes` columns. Each panel has the shape (inputs / 2, 2 * lanes,
    /// 2): the entries of two inputs stand together.
    values: Aligned<i16>,
    inputs: usize,
}

impl Packed {
    /// Packs the matrix with the entries `at(input, output)`. `lanes` is the vector width.
    /// `inputs` must be even and `outputs` a multiple of `2 * lanes`.
    pub(super) fn new(
        inputs: usize,
        outputs: usize,
        lanes: usize,
        at: impl Fn(usize, usize) -> i16,
    ) -> Packed {
        let width = 2 * lanes;
        let mut values = Aligned::zeros(inputs * outputs);
        for (panel, values) in values.chunks_exact_mut(inputs * width).enumerate() {
            for (index, value) in values.iter_mut().enumerate() {
                let (pair, column) = (index / (2 * width), index / 2 % width);
                *value = at(2 * pair + index % 2, panel * width + column);
            }
        }
        Packed { values, inputs }
    }

    /// Overwrites `out` with `left * self` for the first `rows` rows. `rows` is rounded up to a
    /// multiple of [`ROWS`], and `left` and `out` must have as many rows. The processor must have
    /// the instruction `DOT` for vectors of `N` lanes.
    #[inline(always)]
    pub(super) fn multiply<const N: usize, const DOT: u8>(
        &self,
        left: Rows<&[i16]>,
        out: Rows<&mut [i32]>,
        rows: usize,
    ) {
        let Rows { values: left, step: left_step } = left;
        let (out, out_step) = (out.values.as_chunks_mut::<N>().0, out.step / N);
        let panels = self.values.as_chunks::<2>().0.as_chunks::<N>().0;
        for row in (0..rows).step_by(ROWS) {
            let left = Rows { values: &left[row * left_step..], step: left_step };
            for (index, panel) in panels.chunks_exact(self.inputs).enumerate() {
                let out = &mut out[row * out_step + 2 * index..];
                block::<N, DOT>(&left, self.inputs, panel, out, out_step);
            }
        }
    }
}

#[inline(always)]
fn block<const N: usize, const DOT: u8>(
    left: &Rows<&[i16]>,
    inputs: usize,
    panel: &[[[i16; 2]; N]],
    out: &mut [[i32; N]],
    out_step: usize,
) {
    let row = |row: usize| left.values[row * left.step..][..inputs].as_chunks::<2>().0;
    let [a, b, c, d, e, f] = [row(0), row(1), row(2), row(3), row(4), row(5)];
    let [mut in_a, mut in_b, mut in_c, mut in_d, mut in_e, mut in_f] = [[[0; N]; 2]; ROWS];
    for (pair, weights) in panel.as_chunks::<2>().0[..inputs / 2].iter().enumerate() {
        let add = |sums: [[i32; N]; 2], left: [i16; 2]| {
            [dot::<N, DOT>(sums[0], left, &weights[0]), dot::<N, DOT>(sums[1], left, &weights[1])]
        };
        // Unrolled by hand: some link modes do not unroll a loop here. The sums would then be in
        // memory and the product take twice as long.
        in_a = add(in_a, a[pair]);
        in_b = add(in_b, b[pair]);
        in_c = add(in_c, c[pair]);
        in_d = add(in_d, d[pair]);
        in_e = add(in_e, e[pair]);
        in_f = add(in_f, f[pair]);
    }
    for (out, sums) in out.chunks_mut(out_step).zip([in_a, in_b, in_c, in_d, in_e, in_f]) {
        out[..2].copy_from_slice(&sums);
    }
}

/// Returns `sums` plus the dot product of `left` with each pair of weights. Compilers do not find
/// the instruction that computes it, so it is chosen by hand.
#[inline(always)]
#[allow(unsafe_code)]
fn dot<const N: usize, const DOT: u8>(
    mut sums: [i32; N],
    left: [i16; 2],
    weights: &[[i16; 2]; N],
) -> [i32; N] {
    #[allow(unused_variables)]
    let word = i32::from(left[0]) & 0xffff | i32::from(left[1]) << 16;
    #[cfg(target_arch = "x86_64")]
    if DOT >= PAIRS {
        use std::mem::transmute_copy;
        // SAFETY: the caller promises AVX2 for eight lanes and AVX-512 for sixteen, with their VNNI
        // for `FUSED`; all processors have SSE2. `N` lanes of 32 bits have the size of the vector.
        unsafe {
            match N {
                8 if DOT == FUSED => {
                    let (left, weights) = (_mm256_set1_epi32(word), transmute_copy(weights));
                    return transmute_copy(&fused_256(transmute_copy(&sums), left, weights));
                }
                16 if DOT == FUSED => {
                    let (left, weights) = (_mm512_set1_epi32(word), transmute_copy(weights));
                    return transmute_copy(&fused_512(transmute_copy(&sums), left, weights));
                }
                4 => {
                    let products = _mm_madd_epi16(_mm_set1_epi32(word), transmute_copy(weights));
                    return transmute_copy(&_mm_add_epi32(transmute_copy(&sums), products));
                }
                8 => {
                    let products = _mm256_madd_epi16(_mm256_set1_epi32(word), transmute_copy(weights));
                    return transmute_copy(&_mm256_add_epi32(transmute_copy(&sums), products));
                }
                16 => {
                    let products = _mm512_madd_epi16(_mm512_set1_epi32(word), transmute_copy(weights));
                    return transmute_copy(&_mm512_add_epi32(transmute_copy(&sums), products));
                }
                _ => {}
            }
        }
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    if DOT >= PAIRS && N == 4 {
        use std::arch::wasm32::*;
        use std::mem::transmute_copy;
        // SAFETY: four lanes of 32 bits have the size of the vector.
        unsafe {
            let products = i32x4_dot_i16x8(i32x4_splat(word), transmute_copy(weights));
            return transmute_copy(&i32x4_add(transmute_copy(&sums), products));
        }
    }
    for (sum, weights) in sums.iter_mut().zip(weights) {
        let products = [0, 1].map(|input| i32::from(left[input]) * i32::from(weights[input]));
        *sum = sum.wrapping_add(products[0]).wrapping_add(products[1]);
    }
    sums
}

/// Defines a function that returns `sums` plus the dot products of pairs. The compiler turns its
/// own intrinsics for this instruction into two others, which take twice as long.
#[cfg(target_arch = "x86_64")]
macro_rules! fused {
    ($name:ident, $vector:ident, $register:ident, $feature:literal, $instruction:literal) => {
        #[inline]
        #[target_feature(enable = $feature)]
        #[allow(unsafe_code)]
        fn $name(mut sums: $vector, left: $vector, weights: $vector) -> $vector {
            // SAFETY: the instruction reads and writes these registers only.
            unsafe {
                asm!(
                    $instruction, inout($register) sums, in($register) left, in($register) weights,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
            sums
        }
    };
}

#[cfg(target_arch = "x86_64")]
fused!(fused_256, __m256i, ymm_reg, "avxvnni", "{{vex}} vpdpwssd {}, {}, {}");
#[cfg(target_arch = "x86_64")]
fused!(fused_512, __m512i, zmm_reg, "avx512vnni", "vpdpwssd {}, {}, {}");
