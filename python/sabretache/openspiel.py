"""An OpenSpiel game: ``import sabretache.openspiel`` registers ``python_sabretache``.

>>> import pyspiel, sabretache.openspiel
>>> game = pyspiel.load_game("python_sabretache(scenario=teaching)")

Chance is explicit: after a choice each throw of dice is a chance node with the readings that the rule tells apart and their exact chances. Parameters:
``scenario`` (the name of a shipped scenario), ``most_actions`` (the size of the menu), ``most_choices`` (a battle that is not over by then is a draw).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from ._core import SCALARS, UNIT_COLUMNS, Battle, SabretacheError

__all__ = ["SabretacheGame", "SabretacheState"]

_DEFAULTS = {"scenario": "teaching", "most_actions": 512, "most_choices": 2000}
# The most readings that any throw of the books comes to in battle, with room to spare.
_MOST_READINGS = 1024
_SIDES = ("A", "B")

_TYPE = pyspiel.GameType(
    short_name="python_sabretache",
    long_name="Sabretache: horse-and-musket battles",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class SabretacheGame(pyspiel.Game):
    """A scenario as an OpenSpiel game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        words = {**_DEFAULTS, **(params or {})}
        self.first = Battle(words["scenario"], 0)
        self.most_actions = int(words["most_actions"])
        self.most_choices = int(words["most_choices"])
        if self.most_actions < 1 or self.most_choices < 1:
            raise SabretacheError("most_actions and most_choices are one or more")
        info = pyspiel.GameInfo(
            num_distinct_actions=self.most_actions,
            max_chance_outcomes=_MOST_READINGS,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.most_choices,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> SabretacheState:
        return SabretacheState(self)

    def max_chance_nodes_in_history(self) -> int:
        """No choice throws dice more often than this."""
        return self.most_choices * 64

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SabretacheObserver:
        return SabretacheObserver(self, params)


class SabretacheState(pyspiel.State):
    """A battle between two choices, or between two throws of one."""

    def __init__(self, game: SabretacheGame) -> None:
        super().__init__(game)
        self._most_actions, self._most_choices = game.most_actions, game.most_choices
        self.battle: Battle = game.first.clone()
        # The choice whose dice are being thrown, the readings so far, and what comes next.
        self._choice: int | None = None
        self._path: list[int] = []
        self._throw: list[tuple[str, float]] = []

    def current_player(self) -> int:
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        if self._choice is not None:
            return pyspiel.PlayerId.CHANCE
        return 0 if self.battle.side == "A" else 1

    def is_terminal(self) -> bool:
        return self._choice is None and (self.battle.over or self.battle.choices_made >= self._most_choices)

    def returns(self) -> list[float]:
        winner = self.battle.winner
        return [0.0, 0.0] if winner is None else [1.0, -1.0] if winner == "A" else [-1.0, 1.0]

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.battle.menu(self._most_actions))))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(n, chance) for n, (_, chance) in enumerate(self._throw)]

    def _apply_action(self, action: int) -> None:
        if self._choice is None:
            self._choice = int(self.battle.menu(self._most_actions)[action])
        else:
            self._path.append(int(action))
        throw = self.battle.throws(self._choice, self._path)
        if throw is None:
            self.battle.choose_by(self._choice, self._path)
            self._choice, self._path, self._throw = None, [], []
        else:
            self._throw = [(words, float(chance)) for words, chance in throw]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"Thrown: {self._throw[action][0]}" if action < len(self._throw) else f"Thrown: {action}"
        menu = self.battle.menu(self._most_actions)
        return self.battle.action_words(int(menu[action])) if action < len(menu) else f"Action {action}"

    def __str__(self) -> str:
        throwing = f", throwing after {self._path}" if self._choice is not None else ""
        return repr(self.battle) + throwing


class SabretacheObserver:
    """The units and the numbers of the moment, as a player sees them."""

    def __init__(self, game: SabretacheGame, params: Any) -> None:
        if params:
            raise SabretacheError(f"there are no parameters of an observation: {params}")
        units = len(game.first.units) * len(UNIT_COLUMNS)
        self.tensor = np.zeros(units + len(SCALARS), np.float32)
        self.dict = {
            "units": self.tensor[:units].reshape(-1, len(UNIT_COLUMNS)),
            "scalars": self.tensor[units:],
        }

    def set_from(self, state: SabretacheState, player: int) -> None:
        self.dict["units"][:] = state.battle.observe(_SIDES[player])
        self.dict["scalars"][:] = state.battle.scalars(_SIDES[player])

    def string_from(self, state: SabretacheState, player: int) -> str:
        return state.battle.report(_SIDES[player])


pyspiel.register_game(_TYPE, SabretacheGame)
