//! Operations on a device before and after the tower. They convert bits to planes, and features to
//! evaluations.

use crate::NetworkError;
use catapult_encoding::Layout;
use catapult_model::{Dense, Linear, TowerModel, input_channels};
use half::bf16;
use tch::{Device, Kind, Tensor};

/// Converter of the inputs on a device. It converts bits to planes, and global inputs to numbers
/// that are added to the channels of the first convolution.
pub(super) struct Unpack {
    /// Mask of each bit in a byte: 1, 2, 4 .. 128.
    masks: Tensor,
    /// Value of each plane at each square if its bit is set, divided by the bit's mask in its byte:
    /// `[squares, channels / 8, 8]`.
    values: Tensor,
    globals: [Tensor; 2],
    board: [i64; 2],
    kind: Kind,
}

impl Unpack {
    pub(super) fn new(layout: &Layout, globals: &Dense, kind: Kind, device: Device) -> Unpack {
        let channels = input_channels(layout);
        let at = |at: usize| plane_value(layout, at / channels, at % channels) / (1 << (at % 8)) as f32;
        let values: Vec<f32> = (0..layout.squares() * channels).map(at).collect();
        let masks: Vec<u8> = (0..8).map(|bit| 1 << bit).collect();
        let outputs = globals.bias.len() as i64;
        let weight = Tensor::from_slice(&globals.weight).view([-1, outputs]).tr();
        Unpack {
            masks: Tensor::from_slice(&masks).to_device(device),
            values: Tensor::from_slice(&values)
                .view([layout.squares() as i64, -1, 8])
                .to_device(device)
                .to_kind(kind),
            globals: [weight, Tensor::from_slice(&globals.bias)].map(|tensor| tensor.to_device(device)),
            board: [layout.ranks as i64, layout.files as i64],
            kind,
        }
    }

    /// Converts bits `[rows, squares, channels / 8]` to the boards `[rows, ranks, files,
    /// channels]`.
    pub(super) fn boards(&self, bits: &Tensor) -> Result<Tensor, NetworkError> {
        let size = bits.size();
        let set = bits.f_unsqueeze(-1)?.f_bitwise_and_tensor(&self.masks)?;
        let planes = set.f_mul(&self.values)?;
        let [ranks, files] = self.board;
        Ok(planes.f_view([size[0], ranks, files, size[2] * 8])?)
    }

    /// Converts global inputs to the numbers that are added to the channels of the first
    /// convolution: `[rows, channels, 1, 1]`.
    pub(super) fn state(&self, globals: &Tensor) -> Result<Tensor, NetworkError> {
        let [weight, bias] = &self.globals;
        let sums = globals.f_linear(weight, Some(bias))?.f_to_kind(self.kind)?;
        Ok(sums.f_unsqueeze(-1)?.f_unsqueeze(-1)?)
    }
}

/// Returns the value that a plane has at a square if it is not 0 there. The value is 1, except in
/// the last plane of a layout, which encodes the rank.
fn plane_value(layout: &Layout, square: usize, plane: usize) -> f32 {
    if plane + 1 < layout.planes {
        return 1.0;
    }
    // With the rounding of the encoding.
    bf16::from_f32((square / layout.files) as f32 / (layout.ranks - 1) as f32).to_f32()
}

/// Policy and value heads of a network in libtorch.
pub(super) struct Heads {
    /// Numbers of features per square. The features are in this order: `policy`, `attention` (the
    /// keys), `value`, and then as many queries as keys.
    policy: i64,
    attention: i64,
    value: i64,
    squares: i64,
    /// Weights of the policy, one row per policy plane. A row has the weights for the features of
    /// the move's origin, the weights for its destination, and the bias.
    planes: Tensor,
    hidden: [Tensor; 2],
    output: [Tensor; 2],
}

impl Heads {
    pub(super) fn new(model: TowerModel<&[f32]>, layout: &Layout, device: Device) -> Heads {
        let TowerModel { sizes, policy, hidden, output, .. } = model;
        let tensor = |values: &[f32]| Tensor::from_slice(values).to_device(device);
        let matrix = |values: &[f32], rows: usize| tensor(values).view([rows as i64, -1]);
        let dense = |layer: Linear<&[f32]>| [matrix(layer.weight, layer.bias.len()), tensor(layer.bias)];
        let planes = [policy.from, policy.to, policy.bias].map(|values| matrix(values, policy.bias.len()));
        Heads {
            policy: sizes.policy_channels as i64,
            attention: sizes.attention_channels as i64,
            value: sizes.value_channels as i64,
            squares: layout.squares() as i64,
            planes: Tensor::cat(&planes, 1),
            hidden: dense(hidden),
            output: dense(output),
        }
    }

    /// Returns the outputs of the heads as one tensor of `f32`. It has one logit per move, then the
    /// four outputs of the value head for each of the first `rows` rows. A move is given by its row
    /// in `rows_of_moves` and its code in `codes`.
    pub(super) fn answers(
        &self,
        features: &Tensor,
        rows_of_moves: &Tensor,
        codes: &Tensor,
        rows: usize,
    ) -> Result<Tensor, NetworkError> {
        let (policy, attention, value) = (self.policy, self.attention, self.value);
        let features = features.f_view([-1, self.squares, policy + 2 * attention + value])?;
        let _ = features.f_narrow(2, 0, policy)?.f_relu_()?;
        let values =
            features.f_narrow(2, policy + attention, value)?.f_narrow(0, 0, rows as i64)?.f_relu()?;
        let mean = values.f_mean_dim(&[1i64][..], false, Kind::Float)?;
        let pooled = Tensor::f_cat(&[mean, values.f_amax([1i64], false)?.f_to_kind(Kind::Float)?], 1)?;
        let hidden = pooled.f_linear(&self.hidden[0], Some(&self.hidden[1]))?.f_relu_()?;
        let output = hidden.f_linear(&self.output[0], Some(&self.output[1]))?;

        let squares = features.f_view([-1, policy + 2 * attention + value])?;
        let first = rows_of_moves.f_mul_scalar(self.squares)?;
        let from = squares.f_index_select(0, &codes.f_bitwise_and(0xff)?.f_add(&first)?)?;
        let to = codes.f_floor_divide_scalar(0x100)?.f_bitwise_and_(0xff)?.f_add(&first)?;
        let to = squares.f_index_select(0, &to)?;
        let planes = self.planes.f_index_select(0, &codes.f_floor_divide_scalar(0x10000)?)?;
        let part = |tensor: &Tensor, begin: i64, len: i64| tensor.f_narrow(1, begin, len);
        let ours = Tensor::f_cat(
            &[
                part(&from, 0, policy)?,
                part(&to, 0, policy)?,
                part(&from, policy + attention + value, attention)?,
            ],
            1,
        )?;
        let theirs = [part(&planes, 0, 2 * policy)?, part(&to, policy, attention)?.f_to_kind(Kind::Float)?];
        let products = Tensor::f_cat(&theirs, 1)?.f_mul(&ours)?;
        let logits = products.f_sum_dim_intlist(&[1i64][..], false, None)?;
        let logits = logits.f_add(&part(&planes, 2 * policy, 1)?.f_view([-1])?)?;
        Ok(Tensor::f_cat(&[logits, output.f_view([-1])?], 0)?)
    }
}
