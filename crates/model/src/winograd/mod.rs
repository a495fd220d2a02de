//! The folded tower in plain Rust and `f32`.
//!
//! A 3x3 convolution is computed in tiles of 4x4 output and 6x6 input squares by Winograd's F(4x4,
//! 3x3) (Lavin and Gray 2016, "Fast Algorithms for Convolutional Neural Networks"). With input
//! squares `d` and filter `g`,
//!
//! ```text
//! Y = Aᵀ [(G g Gᵀ) ⊙ (Bᵀ d B)] A
//! ```
//!
//! takes 36 products per pair of channels, instead of 144 by definition. `G g Gᵀ` is precomputed.
//! Summed over input channels, the products at each of the 36 points are a matrix product of tiles
//! and weights. An 8x8 board is four whole tiles. Vectors run along the channels. Bias, residual
//! and ReLU are part of the inverse transform, and pooling is part of the bias. A few boards go
//! through all layers at once, so that tiles stay in the cache.
//!
//! Every sum has a fixed order for all batch sizes and vector widths. An evaluation therefore
//! depends only on the position, and all processors with fused multiply-add give the same bits.
//!
//! The code is compiled for several vector widths. The widest one that the processor supports is
//! chosen at run time.

mod gemm;
mod lanes;
mod plan;
#[cfg(test)]
mod tests;
mod transform;

use crate::fold::Folded;
use half::bf16;
use plan::{Plan, Scratch};

/// Instruction set for vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vectors {
    /// The build target's own, four lanes: NEON, SSE, SIMD128 or none.
    Portable,
    /// Eight lanes with fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Sixteen lanes with fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// All instruction sets of this processor, widest last.
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

    /// The widest instruction set of this processor.
    pub fn best() -> Vectors {
        Self::all().last().copied().unwrap_or(Vectors::Portable)
    }

    /// Name for messages.
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

/// The tower, prepared for one thread.
pub struct Tower {
    vectors: Vectors,
    plan: Plan,
    scratch: Scratch,
}

impl Tower {
    /// Prepares a tower for boards with `planes` planes. The processor must support `vectors`.
    pub fn new(folded: &Folded, planes: usize, vectors: Vectors) -> Tower {
        assert!(Vectors::all().contains(&vectors), "{} vectors on this processor", vectors.name());
        let plan = Plan::new(folded, planes, vectors.lanes());
        Tower { vectors, scratch: Scratch::new(&plan), plan }
    }

    /// Maximum number of boards per call of [`Tower::forward`].
    pub fn rows(&self) -> usize {
        self.plan.rows
    }

    /// Runs the tower on boards in the shape (rows, squares, planes) with the global inputs of each
    /// row. Returns the features in the shape (rows, squares, head channels).
    ///
    /// # Panics
    /// If there are more rows than [`Tower::rows`].
    pub fn forward(&mut self, planes: &[bf16], globals: &[f32]) -> &[f32] {
        let Tower { vectors, plan, scratch } = self;
        match vectors {
            Vectors::Portable => {
                // On other targets a fused product is a slow library call.
                const FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
                plan.run::<4, FUSED>(scratch, planes, globals)
            }
            // SAFETY (both): `new` has checked that the processor supports these instructions.
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
