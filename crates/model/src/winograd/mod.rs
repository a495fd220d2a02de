//! Tower of a folded network in plain Rust, with its products in integers.
//!
//! A 3x3 convolution is computed in tiles of 4x4 output squares, each from 6x6 input squares. The
//! method is Winograd's F(4x4, 3x3) (Lavin and Gray 2016, "Fast Algorithms for Convolutional Neural
//! Networks"). For input squares `d` and filter `g`, the output is
//!
//! ```text
//! Y = Aᵀ [(G g Gᵀ) ⊙ (Bᵀ d B)] A
//! ```
//!
//! This takes 36 products per tile and pair of channels, while the definition of a convolution
//! takes 144. `G g Gᵀ` is precomputed. At each of the 36 points, the sum over input channels is a
//! matrix product of tiles and weights.
//!
//! - An 8x8 board is four whole tiles.
//! - Vectors run along the channels.
//! - Bias, residual and ReLU are part of the inverse transform. Pooling is part of the bias.
//! - Inputs of a block's convolutions are scaled to integers from 0 to 480. The largest value on
//!   the board becomes 480, so nothing is clipped. The input planes are small integers already. The
//!   transforms of inputs fit 16 bits, as do the weights, and sums of products fit 32 bits. One
//!   instruction of most processors adds two such products. One of VNNI also adds them to a sum.
//! - The state between blocks, bias and pooling are `f32`.
//! - A few boards pass through all layers at once, so that tiles stay in the cache.
//!
//! Every sum of `f32` has a fixed order for all batch sizes and vector widths, and no product is
//! fused with a sum. So the features depend only on the position, and all processors give the same
//! bits.
//!
//! The code is compiled for several instruction sets. At run time, the fastest one that the
//! processor supports is used.

mod gemm;
mod lanes;
mod plan;
#[cfg(test)]
mod tests;
mod transform;

use crate::fold::Folded;
#[cfg(target_arch = "x86_64")]
use gemm::FUSED;
use gemm::PAIRS;
use half::bf16;
use plan::{Plan, Scratch};

/// Instruction set for vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vectors {
    /// Instructions of the build target, with vectors of four lanes: NEON, SSE or SIMD128. Without
    /// such instructions, the code uses no vectors.
    Portable,
    /// AVX2: eight lanes of 32 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX2 with AVX-VNNI: eight lanes of 32 bits.
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    /// AVX-512: sixteen lanes of 32 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AVX-512 with VNNI: sixteen lanes of 32 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
}

impl Vectors {
    /// Returns all instruction sets that this processor supports, the fastest one last.
    pub fn all() -> Vec<Vectors> {
        #[allow(unused_mut)]
        let mut all = vec![Vectors::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if std::is_x86_feature_detected!("avx2") {
                all.push(Vectors::Avx2);
                if std::is_x86_feature_detected!("avxvnni") {
                    all.push(Vectors::AvxVnni);
                }
            }
            // All processors with AVX-512 have these parts of it, except accelerators.
            if std::is_x86_feature_detected!("avx512f")
                && std::is_x86_feature_detected!("avx512bw")
                && std::is_x86_feature_detected!("avx512dq")
                && std::is_x86_feature_detected!("avx512vl")
            {
                all.push(Vectors::Avx512);
                if std::is_x86_feature_detected!("avx512vnni") {
                    all.push(Vectors::Avx512Vnni);
                }
            }
        }
        all
    }

    /// Returns the fastest instruction set that this processor supports.
    pub fn best() -> Vectors {
        Self::all().last().copied().unwrap_or(Vectors::Portable)
    }

    /// Returns the name of the instruction set, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Vectors::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Vectors::AvxVnni => "AVX-VNNI",
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512Vnni => "AVX-512 VNNI",
        }
    }

    /// Returns the number of lanes of a vector.
    fn lanes(self) -> usize {
        match self {
            Vectors::Portable => 4,
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 | Vectors::AvxVnni => 8,
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 | Vectors::Avx512Vnni => 16,
        }
    }
}

/// Tower of a folded network, with buffers for one thread. It computes the head features of each
/// square.
pub struct Tower {
    vectors: Vectors,
    plan: Plan,
    scratch: Scratch,
}

impl Tower {
    /// Prepares the tower of a folded network. `planes` is the number of input planes.
    ///
    /// # Panics
    /// The processor does not support `vectors`.
    pub fn new(folded: &Folded, planes: usize, vectors: Vectors) -> Tower {
        assert!(Vectors::all().contains(&vectors), "{} vectors on this processor", vectors.name());
        let plan = Plan::new(folded, planes, vectors.lanes());
        Tower { vectors, scratch: Scratch::new(&plan), plan }
    }

    /// Returns the maximum number of positions in one call of [`Tower::forward`].
    pub fn rows(&self) -> usize {
        self.plan.rows
    }

    /// Computes the head features of positions. `planes` has the shape (rows, squares, planes), and
    /// `globals` has the shape (rows, global inputs). The result has the shape (rows, squares, head
    /// channels).
    ///
    /// # Panics
    /// There are more rows than [`Tower::rows`].
    pub fn forward(&mut self, planes: &[bf16], globals: &[f32]) -> &[f32] {
        let Tower { vectors, plan, scratch } = self;
        match vectors {
            Vectors::Portable => plan.run::<4, 8, PAIRS>(scratch, planes, globals),
            // SAFETY (all): `new` has checked that the processor supports these instructions.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Vectors::Avx2 => unsafe { run_avx2(plan, scratch, planes, globals) },
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Vectors::AvxVnni => unsafe { run_avx_vnni(plan, scratch, planes, globals) },
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Vectors::Avx512 => unsafe { run_avx512(plan, scratch, planes, globals) },
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Vectors::Avx512Vnni => unsafe { run_avx512_vnni(plan, scratch, planes, globals) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<'a>(plan: &Plan, scratch: &'a mut Scratch, planes: &[bf16], globals: &[f32]) -> &'a [f32] {
    plan.run::<8, 16, PAIRS>(scratch, planes, globals)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avxvnni")]
fn run_avx_vnni<'a>(plan: &Plan, scratch: &'a mut Scratch, planes: &[bf16], globals: &[f32]) -> &'a [f32] {
    plan.run::<8, 16, FUSED>(scratch, planes, globals)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn run_avx512<'a>(plan: &Plan, scratch: &'a mut Scratch, planes: &[bf16], globals: &[f32]) -> &'a [f32] {
    plan.run::<16, 32, PAIRS>(scratch, planes, globals)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
fn run_avx512_vnni<'a>(plan: &Plan, scratch: &'a mut Scratch, planes: &[bf16], globals: &[f32]) -> &'a [f32] {
    plan.run::<16, 32, FUSED>(scratch, planes, globals)
}
