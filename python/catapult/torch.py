"""The networks in PyTorch, with the same parameter names: train in Python and play everywhere else.

```python
network = catapult.Network.untrained("chesspp", channels=32, blocks=4)
module = catapult.torch.Module(network)
optimizer = torch.optim.AdamW(module.parameters(), lr=1e-3)
for batch in catapult.data.batches(rows, 256):
    losses = module.loss(batch)
    ...
module.to_network().save("mine.safetensors")    # `catapult match` can play it
```

`Module` needs the extra `catapult-chess[torch]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from ._catapult import Network, Positions

__all__ = ["Losses", "Module", "Outputs"]

# Unit of the moves-left head in plies.
MOVES_LEFT_SCALE = 50.0
# Threshold between the squared and the linear part of the moves-left loss, in the same unit.
_HUBER_DELTA = 0.4


class Outputs(NamedTuple):
    """Outputs of the network: `logits` [moves] of the legal moves, `values` [rows, 3] as logits of
    win, draw and loss, `moves_left` [rows] in plies, `future` [rows, squares, 2 * future planes] as
    logits.
    """

    logits: torch.Tensor
    values: torch.Tensor
    moves_left: torch.Tensor
    future: torch.Tensor


class Losses(NamedTuple):
    """Losses of a batch: `total` is the loss to minimise, `policy` and `value` are cross-entropies
    in nats, `moves_left` is the Huber loss in units of 50 plies, `future` is the binary
    cross-entropy per square, summed over planes. `value` and `moves_left` are divided by their mean
    weight, unlike in `total`.
    """

    total: torch.Tensor
    policy: torch.Tensor
    value: torch.Tensor
    moves_left: torch.Tensor
    future: torch.Tensor


# Layers without random initial weights, because `load` sets all of them.


def _convolution(inputs: int, outputs: int) -> nn.Module:
    return nn.utils.skip_init(nn.Conv2d, inputs, outputs, 3, padding=1, bias=False)


def _dense(inputs: int, outputs: int, bias: bool = True) -> nn.Module:
    return nn.utils.skip_init(nn.Linear, inputs, outputs, bias=bias)


class _Norm(nn.Module):
    """Batch normalisation with Catapult's names: `mean` and `variance` are the running statistics.
    """

    def __init__(self, channels: int, momentum: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("variance", torch.ones(channels))
        self.momentum = momentum

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.batch_norm(x, self.mean, self.variance, self.weight, self.bias, self.training, self.momentum, 1e-5)


class _Block(nn.Module):
    def __init__(self, channels: int, pooled: bool, momentum: float) -> None:
        super().__init__()
        self.conv1, self.norm1 = _convolution(channels, channels), _Norm(channels, momentum)
        self.conv2, self.norm2 = _convolution(channels, channels), _Norm(channels, momentum)
        self.pool = _dense(2 * channels, channels) if pooled else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.relu(self.norm1(self.conv1(x)))
        total = x + self.norm2(self.conv2(y))
        if self.pool is not None:
            total = total + self.pool(torch.cat([y.mean((2, 3)), y.amax((2, 3))], 1))[:, :, None, None]
        return F.relu(total)


class Module(nn.Module):
    """A tower as an `nn.Module` with Catapult's parameter names. `momentum` applies to the
    running statistics.
    """

    def __init__(self, network: Network, momentum: float = 0.1) -> None:
        super().__init__()
        sizes, shapes = network.architecture, network.shapes
        if "channels" not in sizes:
            raise ValueError(f"{network!r} is not a tower, and catapult.torch has towers only")
        self.architecture, self.layout, self.shapes = dict(sizes), network.layout, dict(shapes)
        channels, policy, attention = sizes["channels"], sizes["policy_channels"], sizes["attention_channels"]
        self._split = [policy, attention, sizes["value_channels"]]
        self.input = nn.ModuleDict(
            {
                "conv": _convolution(shapes["planes"], channels),
                "globals": _dense(shapes["globals"], channels, bias=False),
                "norm": _Norm(channels, momentum),
            }
        )
        self.block = nn.ModuleList(
            _Block(channels, network.is_pooled(number), momentum) for number in range(sizes["blocks"])
        )
        self.head = nn.ModuleDict({"features": _dense(channels, sum(self._split)), "query": _dense(channels, attention)})
        planes = shapes["policy_planes"]
        self.policy = nn.ParameterDict({"bias": nn.Parameter(torch.zeros(planes))})
        # In `policy`, a part named `to` would hide the method of modules.
        self.policy_from = _dense(policy, planes, bias=False)
        self.policy_to = _dense(policy, planes, bias=False)
        self.value = nn.ModuleDict(
            {
                "hidden": _dense(2 * sizes["value_channels"], sizes["value_hidden"]),
                "output": _dense(sizes["value_hidden"], 4),
            }
        )
        self.future = _dense(channels, 2 * shapes["future_planes"])
        self.load(network)

    @staticmethod
    def _ours(name: str) -> str:
        return name.replace("policy_from.", "policy.from.").replace("policy_to.", "policy.to.")

    def load(self, network: Network) -> None:
        """Loads a network's parameters, which must have the same sizes."""
        given = network.parameters()
        state = self.state_dict()
        if {self._ours(name) for name in state} != set(given):
            raise ValueError(f"{network!r} has other parameters than this module")
        self.load_state_dict({name: torch.from_numpy(given[self._ours(name)]) for name in state})

    def to_network(self, provenance: Mapping[str, str] | None = None) -> Network:
        """A network with the current parameters, for saving, search or export."""
        arrays = {
            self._ours(name): np.ascontiguousarray(tensor.detach().cpu().numpy(), np.float32)
            for name, tensor in self.state_dict().items()
        }
        return Network.from_arrays(self.architecture, self.layout, arrays, dict(provenance or {}))

    def forward(self, planes: torch.Tensor, globals: torch.Tensor, moves: torch.Tensor) -> Outputs:
        """Runs the network on `planes` float32 [rows, ranks, files, planes], `globals` float32
        [rows, globals] and `moves` int64 [moves, 4] (row, policy plane, square, destination).
        """
        x = self.input["conv"](planes.permute(0, 3, 1, 2)) + self.input["globals"](globals)[:, :, None, None]
        x = F.relu(self.input["norm"](x))
        for block in self.block:
            x = block(x)
        tower = x.permute(0, 2, 3, 1).flatten(1, 2)
        policy, keys, values = self.head["features"](tower).split(self._split, 2)
        queries = self.head["query"](tower)
        row, plane, square, to = moves.unbind(1)
        policy = F.relu(policy)
        logits = (
            (policy[row, square] * self.policy_from.weight[plane]).sum(1)
            + (policy[row, to] * self.policy_to.weight[plane]).sum(1)
            + (queries[row, square] * keys[row, to]).sum(1) / self.architecture["attention_channels"] ** 0.5
            + self.policy["bias"][plane]
        )
        values = F.relu(values)
        hidden = F.relu(self.value["hidden"](torch.cat([values.mean(1), values.amax(1)], 1)))
        output = self.value["output"](hidden)
        return Outputs(logits, output[:, :3], F.softplus(output[:, 3]) * MOVES_LEFT_SCALE, self.future(tower))

    def loss(self, batch: Mapping[str, Any], weights: Mapping[str, float] | None = None) -> Losses:
        """The training losses of `catapult train` on a batch of `catapult.data`. `weights` are the
        weights of the parts of `total`; the defaults are `policy` 1, `value` 1, `moves_left` 0.2
        and `future` 0.2.
        """
        device = self.policy["bias"].device
        get = {name: torch.as_tensor(value).to(device) for name, value in batch.items()}
        out = self(get["planes"], get["globals"], get["moves"])
        rows, row = len(get["planes"]), get["moves"][:, 0]
        most = torch.full((rows,), -torch.inf, device=device).scatter_reduce(0, row, out.logits, "amax")
        shifted = out.logits - most[row].detach()
        total = torch.zeros(rows, device=device).index_add(0, row, shifted.exp())
        policy = -(get["policy"] * (shifted - total.log()[row])).sum() / rows
        value = -((get["values"] * out.values.log_softmax(1)).sum(1) * get["value_weight"]).sum() / rows
        left = F.huber_loss(
            out.moves_left / MOVES_LEFT_SCALE, get["moves_left"] / MOVES_LEFT_SCALE, reduction="none", delta=_HUBER_DELTA
        )
        left = (left * get["moves_left_weight"]).sum() / rows
        target = get["future"].float().reshape(out.future.shape)
        squares = out.future.shape[1]
        future = F.binary_cross_entropy_with_logits(out.future, target, reduction="none")
        future = future.reshape(rows, squares, 2, -1).sum((1, 3))
        future = (future * get["future_weight"]).sum() / (rows * squares)
        parts = {"policy": policy, "value": value, "moves_left": left, "future": future}
        weigh = {"policy": 1.0, "value": 1.0, "moves_left": 0.2, "future": 0.2, **(weights or {})}
        if set(weigh) != set(parts):
            raise ValueError(f"weights: unknown {', '.join(sorted(set(weigh) - set(parts)))}")
        total = sum(weigh[name] * part for name, part in parts.items())
        # Reported losses are weighted means. A loss without any weight is 0.
        value, left = (
            part / get[name].mean().clamp(min=torch.finfo(torch.float32).tiny)
            for part, name in [(value, "value_weight"), (left, "moves_left_weight")]
        )
        return Losses(total, policy, value, left, future)

    @torch.no_grad()
    def evaluate(self, positions: Positions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """An evaluator for `catapult.Engine` with the running statistics, on the module's device:
        `Engine(module.evaluate)`.
        """
        # `train` would also unfreeze parts that are in evaluation mode.
        modes = [(part, part.training) for part in self.modules()]
        self.eval()
        try:
            device = self.policy["bias"].device
            arrays = (positions.planes, positions.globals, positions.moves)
            out = self(*(torch.from_numpy(array).to(device) for array in arrays))
        finally:
            for part, mode in modes:
                part.training = mode
        found = (out.logits, out.values.softmax(1), out.moves_left)
        return tuple(tensor.cpu().numpy() for tensor in found)  # type: ignore[return-value]
