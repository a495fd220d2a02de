"""Export of networks to ONNX for other runtimes: `catapult.onnx.export(network, "network.onnx")`.

The model has opset 17, inputs

- `planes` float32 [rows, ranks, files, planes] and `globals` float32 [rows, globals]
- `moves` int64 [moves, 4]: per legal move its row, policy plane, square and destination, as in `Positions`

and outputs

- `logits` float32 [moves]: policy logits of the moves, with any offset per row
- `values` float32 [rows, 3]: probabilities of win, draw and loss for the side to move
- `moves_left` float32 [rows]: expected plies to the end of the game

The numbers of rows and moves are dynamic. The extra `catapult-chess[onnx]` is required. The model's metadata
contains the layout and the network's provenance.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ._catapult import Network

__all__ = ["OPSET", "export", "model"]

# ONNX operator set version.
OPSET = 17


def model(network: Network) -> Any:
    """Converts a tower to an `onnx.ModelProto`, with batch normalisation folded into the
    convolutions.
    """
    from onnx import TensorProto, checker, helper, numpy_helper

    parameters, sizes, shapes = network.parameters(), network.architecture, network.shapes
    if "channels" not in sizes:
        raise ValueError(f"{network!r} is not a tower, and only towers can be exported")
    # Nodes and constants are named in the order of creation.
    nodes: list[Any] = []
    constants: list[Any] = []

    def constant(value: Any, name: str | None = None) -> str:
        name = name or f"constant_{len(constants)}"
        constants.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def add(operator: str, *inputs: str, name: str | None = None, **attributes: Any) -> str:
        output = name or f"{operator.lower()}_{len(nodes)}"
        nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output

    def scale_and_shift(norm: str) -> tuple[np.ndarray, np.ndarray]:
        get = {part: parameters[f"{norm}.{part}"].astype(np.float64) for part in ("weight", "bias", "mean", "variance")}
        scale = get["weight"] / np.sqrt(get["variance"] + 1e-5)
        return scale.astype(np.float32), (get["bias"] - get["mean"] * scale).astype(np.float32)

    def convolve(x: str, conv: str, norm: str) -> str:
        scale, shift = scale_and_shift(norm)
        weight = constant(parameters[f"{conv}.weight"] * scale[:, None, None, None], f"{conv}.weight")
        return add("Conv", x, weight, constant(shift, f"{conv}.bias"), kernel_shape=[3, 3], pads=[1, 1, 1, 1])

    def dense(x: str, name: str, weight: np.ndarray | None = None, bias: np.ndarray | None = None) -> str:
        weight = parameters[f"{name}.weight"] if weight is None else weight
        bias = parameters[f"{name}.bias"] if bias is None else bias
        product = add("MatMul", x, constant(weight.T, f"{name}.weight"))
        return add("Add", product, constant(bias, f"{name}.bias"))

    def mean_and_max(x: str, axes: list[int]) -> str:
        pooled = (add("ReduceMean", x, axes=axes, keepdims=0), add("ReduceMax", x, axes=axes, keepdims=0))
        return add("Concat", *pooled, axis=1)

    board_axes = constant(np.array([2, 3], np.int64))
    scale, _ = scale_and_shift("input.norm")
    by_globals = constant((parameters["input.globals.weight"] * scale[:, None]).T, "input.globals.weight")
    by_globals = add("Unsqueeze", add("MatMul", "globals", by_globals), board_axes)
    x = convolve(add("Transpose", "planes", perm=[0, 3, 1, 2]), "input.conv", "input.norm")
    x = add("Relu", add("Add", x, by_globals))
    for number in range(sizes["blocks"]):
        block = f"block.{number}"
        y = add("Relu", convolve(x, f"{block}.conv1", f"{block}.norm1"))
        total = add("Add", x, convolve(y, f"{block}.conv2", f"{block}.norm2"))
        if network.is_pooled(number):
            pooled = dense(mean_and_max(y, [2, 3]), f"{block}.pool")
            total = add("Add", total, add("Unsqueeze", pooled, board_axes))
        x = add("Relu", total)
    squares = shapes["ranks"] * shapes["files"]
    tower = add("Reshape", add("Transpose", x, perm=[0, 2, 3, 1]), constant(np.array([-1, squares, sizes["channels"]], np.int64)))

    split = np.array([sizes["policy_channels"], sizes["attention_channels"], sizes["value_channels"]], np.int64)
    features = dense(tower, "head.features")
    parts = ["policy_features", "keys", "value_features"]
    nodes.append(helper.make_node("Split", [features, constant(split)], parts, axis=2))
    root = np.float32(1 / np.sqrt(sizes["attention_channels"]))
    queries = dense(tower, "head.query", parameters["head.query.weight"] * root, parameters["head.query.bias"] * root)

    columns = [add("Gather", "moves", constant(np.array(part, np.int64)), axis=1) for part in range(4)]
    row, plane, square, to = (add("Unsqueeze", column, constant(np.array([1], np.int64))) for column in columns)
    at_square, at_destination = add("Concat", row, square, axis=1), add("Concat", row, to, axis=1)
    policy = add("Relu", "policy_features")
    last = constant(np.array([1], np.int64))

    def dot(a: str, b: str) -> str:
        return add("ReduceSum", add("Mul", a, b), last, keepdims=0)

    def of_plane(name: str) -> str:
        return add("Gather", constant(parameters[name], name), columns[1], axis=0)

    terms = [
        dot(add("GatherND", policy, at_square), of_plane("policy.from.weight")),
        dot(add("GatherND", policy, at_destination), of_plane("policy.to.weight")),
        dot(add("GatherND", queries, at_square), add("GatherND", "keys", at_destination)),
    ]
    add("Sum", *terms, of_plane("policy.bias"), name="logits")

    hidden = add("Relu", dense(mean_and_max(add("Relu", "value_features"), [1]), "value.hidden"))
    output = dense(hidden, "value.output")
    nodes.append(helper.make_node("Split", [output, constant(np.array([3, 1], np.int64))], ["wdl", "left"], axis=1))
    add("Softmax", "wdl", axis=1, name="values")
    left = add("Squeeze", add("Softplus", "left"), last)
    add("Mul", left, constant(np.float32(50.0)), name="moves_left")

    def tensor(name: str, kind: int, *shape: int | str) -> Any:
        return helper.make_tensor_value_info(name, kind, list(shape))

    floats, integers = TensorProto.FLOAT, TensorProto.INT64
    inputs = [
        tensor("planes", floats, "rows", shapes["ranks"], shapes["files"], shapes["planes"]),
        tensor("globals", floats, "rows", shapes["globals"]),
        tensor("moves", integers, "moves", 4),
    ]
    outputs = [tensor("logits", floats, "moves"), tensor("values", floats, "rows", 3), tensor("moves_left", floats, "rows")]
    made = helper.make_model(
        helper.make_graph(nodes, "catapult", inputs, outputs, constants),
        opset_imports=[helper.make_opsetid("", OPSET)],
        producer_name="catapult",
    )
    # The newest IR version that runtimes of this operator set read.
    made.ir_version = min(made.ir_version, 9)
    helper.set_model_props(made, {**network.provenance, "layout": network.layout})
    checker.check_model(made, full_check=True)
    return made


def export(network: Network, path: str | os.PathLike[str]) -> None:
    """Writes a network as an ONNX file. Raises OSError if the file cannot be written."""
    # The conversion may fail, so it comes before the file is opened.
    data = model(network).SerializeToString()
    with open(path, "wb") as file:
        file.write(data)
