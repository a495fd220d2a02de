//! The folded tower in plain Rust, in `f32`.
//!
//! A 3x3 convolution is computed tile by tile, 4x4 squares out of 6x6, by Winograd's F(4x4, 3x3) (Lavin and Gray 2016,
//! "Fast Algorithms for Convolutional Neural Networks"): with `d` the squares read and `g` the filter,
//!
//! ```text
//! Y = Aᵀ [(G g Gᵀ) ⊙ (Bᵀ d B)] A
//! ```
//!
//! takes 36 products for each pair of channels where the definition takes 144. `G g Gᵀ` is computed beforehand. Summed
//! over input channels, the products of each of the 36 points are a product of matrices, the tiles' and the weights', and
//! an 8x8 board is four whole tiles. Vectors lie along the channels. Bias, residual and ReLU are part of the transform
//! back, and pooling a part of the bias. A few boards go through all layers at once, so that tiles stay in the cache.
//!
//! Every sum has one order, whatever the batch and the width of the vectors. So an answer depends on nothing but the
//! position, and processors that add products unrounded (FMA) all give the same.
//!
//! The code is compiled for vectors of several widths, and the widest that the processor has is chosen at run time.

mod gemm;
mod lanes;
mod plan;
#[cfg(test)]
mod tests;
mod transform;

use crate::fold::Folded;
use half::bf16;
use plan::{Plan, Scratch};

/// What vectors the processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vectors {
    /// Whatever the build is for, in fours: NEON, SSE, SIMD128 or none.
    Portable,
    /// Eight at a time, products added unrounded.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Sixteen.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// All that this processor has, the widest last.
    pub fn all() -> Vec<Vectors> {
        #[allow(unused_mut)]
        let mut all = vec![Vectors::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
                all.push(Vectors::Avx2);
            }
            if std::is_x86_feature_detected!("avx512f") {
                all.push(Vectors::Avx512);
            }
        }
        all
    }

    /// The widest that this processor has.
    pub fn best() -> Vectors {
        Self::all().last().copied().unwrap_or(Vectors::Portable)
    }

    /// What people call them.
    pub fn name(self) -> &'static str {
        match self {
            Vectors::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => "AVX-512",
        }
    }

    fn lanes(self) -> usize {
        match self {
            Vectors::Portable => 4,
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => 8,
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => 16,
        }
    }
}

/// The tower, ready to run on one thread.
pub struct Tower {
    vectors: Vectors,
    plan: Plan,
    scratch: Scratch,
}

impl Tower {
    /// Prepares a tower for boards of so many planes, for vectors that this processor must have.
    pub fn new(folded: &Folded, planes: usize, vectors: Vectors) -> Tower {
        assert!(Vectors::all().contains(&vectors), "{} vectors on this processor", vectors.name());
        let plan = Plan::new(folded, planes, vectors.lanes());
        Tower { vectors, scratch: Scratch::new(&plan), plan }
    }

    /// Boards that [`Tower::forward`] takes at once.
    pub fn rows(&self) -> usize {
        self.plan.rows
    }

    /// Runs the tower on boards `[rows, squares, planes]` with the global inputs of each row; gives the features
    /// `[rows, squares, head channels]`.
    ///
    /// # Panics
    /// If there are more rows than [`Tower::rows`].
    pub fn forward(&mut self, planes: &[bf16], globals: &[f32]) -> &[f32] {
        let Tower { vectors, plan, scratch } = self;
        match vectors {
            Vectors::Portable => {
                // Elsewhere a fused product is a slow library call.
                const FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
                plan.run::<4, FUSED>(scratch, planes, globals)
            }
            // SAFETY (both): `new` has found that the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Vectors::Avx2 => unsafe { run_avx2(plan, scratch, planes, globals) },
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Vectors::Avx512 => unsafe { run_avx512(plan, scratch, planes, globals) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<'a>(plan: &Plan, scratch: &'a mut Scratch, planes: &[bf16], globals: &[f32]) -> &'a [f32] {
    plan.run::<8, true>(scratch, planes, globals)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn run_avx512<'a>(plan: &Plan, scratch: &'a mut Scratch, planes: &[bf16], globals: &[f32]) -> &'a [f32] {
    plan.run::<16, true>(scratch, planes, globals)
}
