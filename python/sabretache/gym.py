"""A Gymnasium environment: one side of a battle against a computer player."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from ._core import Battle, SabretacheError
from ._space import Table, result

__all__ = ["SabretacheEnv"]


class SabretacheEnv(gymnasium.Env):
    """One side of a battle; a computer player decides for the other.

    An observation is a dictionary: ``observation`` (units × `UNIT_COLUMNS` and then `SCALARS`, in one row), ``action_mask`` (which numbers are
    actions now; also in ``info`` and from `action_masks`) and, with `action_features`, ``actions`` (a row of `ACTION_COLUMNS` for each).

    The reward is 1 for a victory and -1 for a defeat when the battle ends. With ``reward="worth"`` each step also gives by how much the battle stands
    better for the side than before, in hundreds of points. A number that is no action changes nothing but the count of steps and is told in
    ``info["refused"]``. After `most_steps` steps the battle is truncated.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        scenario: Any = "teaching",
        side: str = "A",
        opponent: str = "drill-master",
        *,
        set: tuple[str, ...] = (),
        most_actions: int = 512,
        action_features: bool = False,
        reward: str = "result",
        most_steps: int = 10_000,
        render_mode: str | None = None,
    ) -> None:
        if side not in ("A", "B"):
            raise SabretacheError(f"there is no side '{side}': sides are 'A' and 'B'")
        if reward not in ("result", "worth"):
            raise SabretacheError(f"there is no reward '{reward}': there are 'result' and 'worth'")
        self.side, self.opponent, self.reward, self.most_steps = side, opponent, reward, most_steps
        self.render_mode = render_mode
        self.first = Battle(scenario, 0, list(set))
        self.battle = self.first
        self.table = Table(self.first, most_actions, action_features)
        self.observation_space = self.table.observation_space()
        self.action_space = self.table.action_space()
        self.steps = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        super().reset(seed=seed)
        self.battle = self.first.anew(int(self.np_random.integers(1 << 52)))
        self.steps = 0
        self._let_opponent()
        self._stood = self._worth()
        return self._look()

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        if self.battle.over:
            raise SabretacheError("the battle is over: call reset()")
        menu = self.battle.menu(self.table.most_actions)
        refused = not 0 <= int(action) < len(menu)
        self.steps += 1
        if not refused:
            self.battle.choose(int(menu[int(action)]))
            self._let_opponent()
        reward = result(self.battle, self.side)
        if self.reward == "worth":
            stood, self._stood = self._stood, self._worth()
            reward += (self._stood - stood) / 100.0
        seen, info = self._look()
        info["refused"] = refused
        return seen, reward, self.battle.over, not self.battle.over and self.steps >= self.most_steps, info

    def action_masks(self) -> np.ndarray:
        """Which numbers are actions now, as sb3-contrib's MaskablePPO asks for it."""
        return self.table.mask(self.battle, self.battle.side == self.side).astype(bool)

    def render(self) -> str | None:
        return self.battle.report() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    def _let_opponent(self) -> None:
        while not self.battle.over and self.battle.side != self.side:
            self.battle.play(self.opponent)

    def _worth(self) -> float:
        other = "B" if self.side == "A" else "A"
        return float(self.battle.worth(self.side) - self.battle.worth(other)) / 2.0

    def _look(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        seen = self.table.observe(self.battle, self.side)
        return seen, {"action_mask": seen["action_mask"], "choices_made": self.battle.choices_made}
