#!/usr/bin/env python3
"""Writes crates/mcts/tests/data/mctx.json: Gumbel searches of small automata by mctx (DeepMind's library in JAX).

    python3 -m venv mctx-venv && mctx-venv/bin/pip install "mctx==0.0.71" "jax[cpu]"
    mctx-venv/bin/python scripts/mctx-golden.py

Each case is a two-player game of perfect information. A state is a number, and all states have equally many moves.
The sides alternate, and a game never ends. Logits and values are multiples of 1/64, so that both programs read exactly
the same numbers. Our sigma(q) = (c_visit + max N) * c_scale * (q + 1) / 2 equals mctx's with value_scale = c_scale / 2,
up to an additive constant. The constant changes no softmax and no argmax.
"""

import functools
import json
import pathlib
import random

import jax
import jax.numpy as jnp
import mctx

OUT = pathlib.Path(__file__).parent.parent / "crates/mcts/tests/data/mctx.json"

# Columns: moves, simulations, considered, c_scale, noise.
SHAPES = [
    (2, 1, 16, 1.0, 0.0),
    (2, 2, 16, 1.0, 1.0),
    (3, 4, 16, 1.0, 1.0),
    (3, 16, 2, 1.0, 0.0),
    (4, 8, 4, 0.1, 1.0),
    (4, 64, 16, 1.0, 1.0),
    (5, 7, 16, 0.3, 1.0),
    (5, 16, 1, 1.0, 1.0),
    (6, 16, 16, 1.0, 1.0),
    (6, 32, 4, 0.1, 0.0),
    (8, 32, 16, 1.0, 0.0),
    (8, 50, 16, 0.1, 1.0),
    (10, 16, 16, 1.0, 1.0),
    (12, 32, 16, 1.0, 1.0),
    (16, 32, 16, 0.3, 1.0),
    (20, 16, 16, 1.0, 1.0),
    (20, 32, 16, 1.0, 1.0),
    (20, 64, 16, 0.1, 1.0),
    (24, 48, 8, 1.0, 0.0),
    (6, 200, 16, 1.0, 1.0),
    (9, 200, 16, 0.03, 1.0),
]
STATES = 24


def case(index, moves, simulations, considered, c_scale, noise):
    rng = random.Random(index)
    following = [[rng.randrange(STATES) for _ in range(moves)] for _ in range(STATES)]
    logits = [[rng.randrange(-128, 129) for _ in range(moves)] for _ in range(STATES)]
    values = [rng.randrange(-64, 65) for _ in range(STATES)]
    following_table = jnp.array(following)
    logit_table = jnp.array(logits, dtype=jnp.float32) / 64
    value_table = jnp.array(values, dtype=jnp.float32) / 64

    def recurrent(params, key, action, state):
        del params, key
        after = following_table[state, action]
        output = mctx.RecurrentFnOutput(
            reward=jnp.zeros_like(value_table[after]),
            discount=-jnp.ones_like(value_table[after]),
            prior_logits=logit_table[after],
            value=value_table[after],
        )
        return output, after

    start = jnp.array([0])
    root = mctx.RootFnOutput(prior_logits=logit_table[start], value=value_table[start], embedding=start)
    key = jax.random.PRNGKey(index)
    output = mctx.gumbel_muzero_policy(
        None,
        key,
        root,
        recurrent,
        num_simulations=simulations,
        max_num_considered_actions=considered,
        gumbel_scale=noise,
        qtransform=functools.partial(
            mctx.qtransform_completed_by_mix_value,
            value_scale=c_scale / 2,
            maxvisit_init=50.0,
            rescale_values=False,
            use_mixed_value=True,
        ),
    )
    tree = output.search_tree
    parents = tree.parents[0].tolist()
    actions = tree.action_from_parent[0].tolist()
    paths = {0: ""}
    nodes = []
    for node in range(1, simulations + 1):
        parent = parents[node]
        if parent < 0:
            continue
        paths[node] = f"{paths[parent]} {actions[node]}".strip()
        value = float(tree.node_values[0, node])
        nodes.append([paths[node], int(tree.node_visits[0, node]), value])
    return {
        "simulations": simulations,
        "considered": considered,
        "c_scale": c_scale,
        "following": following,
        "logits_64": logits,
        "values_64": values,
        "noise": [float(x) for x in tree.extra_data.root_gumbel[0]],
        "visits": [int(x) for x in tree.summary().visit_counts[0]],
        "policy": [float(x) for x in output.action_weights[0]],
        "action": int(output.action[0]),
        "root_value": float(tree.node_values[0, 0]),
        "nodes": nodes,
    }


cases = [case(index, *shape) for index, shape in enumerate(SHAPES)]
OUT.parent.mkdir(parents=True, exist_ok=True)
OUT.write_text("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
print(f"{OUT}: {len(cases)} cases")
