//! Number types of features.

use half::bf16;

/// A storage type of numbers that are computed as `f32`.
pub trait Number: Copy + Send + 'static {
    /// Converts to `f32` without loss.
    fn widen(self) -> f32;
    /// Rounds to the nearest value.
    fn narrow(value: f32) -> Self;
    /// Converts encoded inputs.
    fn from_bf16(from: &[bf16], to: &mut [Self]);
}

impl Number for f32 {
    fn widen(self) -> f32 {
        self
    }

    fn narrow(value: f32) -> f32 {
        value
    }

    fn from_bf16(from: &[bf16], to: &mut [f32]) {
        to.iter_mut().zip(from).for_each(|(to, &from)| *to = from.widen());
    }
}

impl Number for bf16 {
    // The conversions of `half` branch for NaN, which prevents vectorised loops.
    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits((self.to_bits() as u32) << 16)
    }

    /// Rounds to nearest, ties to even. A NaN may become another NaN or an infinity.
    #[inline(always)]
    fn narrow(value: f32) -> bf16 {
        let bits = value.to_bits();
        bf16::from_bits((bits.wrapping_add(0x7FFF + ((bits >> 16) & 1)) >> 16) as u16)
    }

    fn from_bf16(from: &[bf16], to: &mut [bf16]) {
        to.copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrowing_agrees_with_half() {
        for value in
            [0.0, -0.0, 1.0, 1.003_906_3, 1.003_906_4, 1.011_718_8, -3.3e-5, 6.5e4, f32::INFINITY, 1e-40]
        {
            assert_eq!(<bf16 as Number>::narrow(value).to_bits(), bf16::from_f32(value).to_bits(), "{value}");
            assert_eq!(bf16::from_f32(value).widen(), bf16::from_f32(value).to_f32());
        }
    }
}
