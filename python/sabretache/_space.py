"""What the environments have in common: a battle as spaces, observations and masks."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from ._core import ACTION_COLUMNS, SCALARS, UNIT_COLUMNS, Battle

# Coordinates and directions are within 1; points, and the codes of words (below 4096), are larger.
_BOUND = 1e6


class Table:
    """How battles of one scenario look to a learner."""

    def __init__(self, battle: Battle, most_actions: int, action_features: bool) -> None:
        self.most_actions = most_actions
        self.action_features = action_features
        self.size = len(battle.units) * len(UNIT_COLUMNS) + len(SCALARS)

    def observation_space(self) -> spaces.Dict:
        """The units and the numbers of the moment in one row, and which actions there are."""
        parts: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(-_BOUND, _BOUND, (self.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (self.most_actions,), np.int8),
        }
        if self.action_features:
            parts["actions"] = spaces.Box(-_BOUND, _BOUND, (self.most_actions, len(ACTION_COLUMNS)), np.float32)
        return spaces.Dict(parts)

    def action_space(self) -> spaces.Discrete:
        return spaces.Discrete(self.most_actions)

    def mask(self, battle: Battle, deciding: bool) -> np.ndarray:
        mask = np.zeros(self.most_actions, np.int8)
        if deciding and not battle.over:
            mask[: len(battle.menu(self.most_actions))] = 1
        return mask

    def observe(self, battle: Battle, side: str) -> dict[str, np.ndarray]:
        deciding = battle.side == side
        seen = {
            "observation": np.concatenate([battle.observe(side).ravel(), battle.scalars(side)]),
            "action_mask": self.mask(battle, deciding),
        }
        if self.action_features:
            none = np.zeros((self.most_actions, len(ACTION_COLUMNS)), np.float32)
            seen["actions"] = battle.action_features(self.most_actions) if deciding else none
        return seen


def result(battle: Battle, side: str) -> float:
    """1 for a victory of the side, -1 for a defeat, 0 for a draw or a battle that goes on."""
    winner = battle.winner
    return 0.0 if winner is None else 1.0 if winner == side else -1.0
