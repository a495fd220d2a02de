//! Access to a tensor's memory as a slice, and reuse of freed memory.

use half::bf16;
use tch::kind::Element;
use tch::{Device, Kind, Tensor};

/// Returns the values of a CPU tensor as a slice, in the order of its memory.
///
/// # Panics
/// If the tensor is not dense, not of `T` or not on the CPU.
pub(crate) fn values_mut<T: Element>(tensor: &mut Tensor) -> &mut [T] {
    assert!(
        tensor.kind() == T::KIND && tensor.device() == Device::Cpu && is_dense(tensor),
        "a dense CPU tensor of {:?}",
        T::KIND
    );
    if tensor.numel() == 0 {
        // An empty tensor may have no memory.
        return &mut [];
    }
    // SAFETY: a dense tensor owns `numel` values of this type behind its data pointer, for as long
    // as it is borrowed.
    #[allow(unsafe_code)]
    unsafe {
        std::slice::from_raw_parts_mut(tensor.data_ptr().cast::<T>(), tensor.numel())
    }
}

/// Creates a CPU tensor of bfloat16 from numbers.
pub(crate) fn bf16_tensor(values: &[bf16]) -> Tensor {
    // tch treats `bf16` as `Half`, which has the same size. This corrects the type of the bits.
    Tensor::from_slice(values).view_dtype(Kind::BFloat16)
}

/// Returns true if the tensor's values fill its memory without gaps, in any order of dimensions.
fn is_dense(tensor: &Tensor) -> bool {
    let mut dimensions: Vec<(i64, i64)> =
        tensor.stride().into_iter().zip(tensor.size()).filter(|d| d.1 != 1).collect();
    dimensions.sort_unstable();
    let mut expected = 1;
    dimensions.into_iter().all(|(stride, size)| {
        let fits = stride == expected;
        expected *= size;
        fits
    })
}

/// Makes the C library keep freed memory for later allocations. Each training step allocates and
/// frees the same hundreds of tensors. If the library returned them to the operating system, page
/// faults would take a tenth of the step of a small network.
pub(crate) fn keep_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // The first is the library's maximum, the second far more than a step frees.
        let (mapped, trimmed) = (32 << 20, 1 << 30);
        // SAFETY: sets two numbers, under the allocator's own lock.
        #[allow(unsafe_code)]
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, mapped);
            libc::mallopt(libc::M_TRIM_THRESHOLD, trimmed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bf16_values_stay_what_they_are() {
        let values = [1.5, -3.25, 1e30].map(bf16::from_f32);
        let tensor = bf16_tensor(&values);
        assert_eq!(Vec::<f64>::try_from(tensor.to_kind(Kind::Double)).unwrap(), values.map(bf16::to_f64));
        assert_eq!(values_mut::<f32>(&mut tensor.to_kind(Kind::Float)), values.map(bf16::to_f32));
    }

    #[test]
    fn dense_tensors_are_told_from_others() {
        let tensor = Tensor::zeros([2, 3, 4, 5], (Kind::Float, Device::Cpu));
        assert!(is_dense(&tensor) && is_dense(&tensor.permute([0, 3, 1, 2])));
        assert!(!is_dense(&tensor.narrow(1, 0, 2)) && is_dense(&tensor.narrow(0, 1, 1)));
    }
}
