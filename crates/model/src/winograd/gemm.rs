//! Matrix products, which are the inner loop of the tower.

use super::lanes::{Aligned, Lanes};

/// Number of rows that are multiplied at once. With two vectors of columns, there are twelve sums.
/// These sums and the factors fit into sixteen registers.
pub(super) const ROWS: usize = 6;

/// Matrix stored by rows. `step` is the distance between the starts of two rows, in values.
pub(super) struct Rows<T> {
    pub values: T,
    pub step: usize,
}

/// Right factor of a matrix product, packed for vectors of one width.
pub(super) struct Packed {
    /// Entries in panels of `2 * lanes` columns. Each panel has the shape (inputs, 2 * lanes).
    values: Aligned,
    inputs: usize,
}

impl Packed {
    /// Packs the matrix with the entries `at(input, output)`. `lanes` is the vector width.
    /// `outputs` must be a multiple of `2 * lanes`.
    pub(super) fn new(
        inputs: usize,
        outputs: usize,
        lanes: usize,
        at: impl Fn(usize, usize) -> f32,
    ) -> Packed {
        let width = 2 * lanes;
        let mut values = Aligned::zeros(inputs * outputs);
        for (panel, values) in values.chunks_exact_mut(inputs * width).enumerate() {
            for (index, value) in values.iter_mut().enumerate() {
                *value = at(index / width, panel * width + index % width);
            }
        }
        Packed { values, inputs }
    }

    /// Overwrites `out` with `left * self` for the first `rows` rows. `rows` is rounded up to a
    /// multiple of [`ROWS`], and `left` and `out` must have as many rows.
    ///
    /// Products are summed in the order of the inputs. The result of a row therefore does not
    /// depend on its index or on other rows.
    #[inline(always)]
    pub(super) fn multiply<const N: usize, const FUSED: bool>(
        &self,
        left: Rows<&[f32]>,
        out: Rows<&mut [f32]>,
        rows: usize,
    ) {
        let Rows { values: left, step: left_step } = left;
        let (out, out_step) = (out.values.as_chunks_mut::<N>().0, out.step / N);
        let panels = self.values.as_chunks::<N>().0;
        for row in (0..rows).step_by(ROWS) {
            let left = Rows { values: &left[row * left_step..], step: left_step };
            for (index, panel) in panels.chunks_exact(2 * self.inputs).enumerate() {
                let out = &mut out[row * out_step + 2 * index..];
                block::<N, FUSED>(&left, self.inputs, panel, out, out_step);
            }
        }
    }
}

#[inline(always)]
fn block<const N: usize, const FUSED: bool>(
    left: &Rows<&[f32]>,
    inputs: usize,
    panel: &[[f32; N]],
    out: &mut [[f32; N]],
    out_step: usize,
) {
    let row = |row: usize| &left.values[row * left.step..][..inputs];
    let [a, b, c, d, e, f] = [row(0), row(1), row(2), row(3), row(4), row(5)];
    let zero = [Lanes::<N, FUSED>::ZERO; 2];
    let [mut in_a, mut in_b, mut in_c, mut in_d, mut in_e, mut in_f] = [zero; ROWS];
    for (input, weights) in panel.as_chunks::<2>().0[..inputs].iter().enumerate() {
        let weights = weights.map(Lanes);
        let add = |sums: [Lanes<N, FUSED>; 2], left: f32| {
            [weights[0].mul_add(left, sums[0]), weights[1].mul_add(left, sums[1])]
        };
        // Unrolled by hand: some link modes do not unroll a loop here. The sums would then be in
        // memory and the product take twice as long.
        in_a = add(in_a, a[input]);
        in_b = add(in_b, b[input]);
        in_c = add(in_c, c[input]);
        in_d = add(in_d, d[input]);
        in_e = add(in_e, e[input]);
        in_f = add(in_f, f[input]);
    }
    let out = &mut out[..(ROWS - 1) * out_step + 2];
    for (row, sums) in [in_a, in_b, in_c, in_d, in_e, in_f].into_iter().enumerate() {
        out[row * out_step] = sums[0].0;
        out[row * out_step + 1] = sums[1].0;
    }
}
