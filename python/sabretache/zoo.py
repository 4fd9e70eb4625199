"""A PettingZoo AEC environment: both sides of a battle, each deciding when it is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._core import Battle, SabretacheError
from ._space import Table, result

__all__ = ["env", "raw_env"]

_SIDES = {"player_0": "A", "player_1": "B"}


def env(*words: Any, **more: Any) -> AECEnv:
    """The environment, with PettingZoo's own check that it is used in order."""
    return wrappers.OrderEnforcingWrapper(raw_env(*words, **more))


class raw_env(AECEnv):
    """Both sides of a battle: ``player_0`` is A, ``player_1`` is B. The agent to act is the side that decides; a reaction to the other side's doing is
    a decision like any other, so a side may decide several times in a row.

    Observations, masks and `action_features` are those of `sabretache.gym.SabretacheEnv`, each agent's with what its side sees. When the battle ends
    the victor is rewarded with 1 and the loser with -1. After `most_steps` choices it is truncated.
    """

    metadata = {"name": "sabretache_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        scenario: Any = "teaching",
        *,
        set: tuple[str, ...] = (),
        most_actions: int = 512,
        action_features: bool = False,
        most_steps: int = 10_000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.first = Battle(scenario, 0, list(set))
        self.battle = self.first
        self.table = Table(self.first, most_actions, action_features)
        self.most_steps, self.render_mode = most_steps, render_mode
        self.possible_agents = list(_SIDES)
        self.agents = list(_SIDES)
        self.observation_spaces = {agent: self.table.observation_space() for agent in _SIDES}
        self.action_spaces = {agent: self.table.action_space() for agent in _SIDES}
        self.random = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.battle = self.first.anew(int(self.random.integers(1 << 52)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._deciding()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return self.table.observe(self.battle, _SIDES[agent])

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        menu = self.battle.menu(self.table.most_actions)
        if action is None or not 0 <= int(action) < len(menu):
            raise SabretacheError(f"there is no action {action}: the mask of {agent} has {len(menu)}")
        self._cumulative_rewards[agent] = 0.0
        self.battle.choose(int(menu[int(action)]))
        over = self.battle.over
        self.rewards = {one: result(self.battle, _SIDES[one]) if over else 0.0 for one in self.agents}
        truncated = not over and self.battle.choices_made >= self.most_steps
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, truncated)
        if not over:
            self.agent_selection = self._deciding()
        self._accumulate_rewards()

    def render(self) -> str | None:
        return self.battle.report() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    def _deciding(self) -> str:
        return "player_0" if self.battle.side == "A" else "player_1"
