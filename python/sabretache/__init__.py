"""Horse-and-musket miniature battles of 1700-1815 under three published rulesets.

>>> import sabretache
>>> battle = sabretache.Battle("teaching", seed=1815)
>>> battle.side, battle.over
('B', False)
>>> battle.choose(0)
>>> battle.undo()
>>> _ = battle.play_out("recruit", "recruit")
>>> battle.over
True

`Battle` is one battle, `VecBattle` many of them stepped together, `simulate` a run of the laboratory. `sabretache.gym`, `sabretache.zoo` and
`sabretache.openspiel` are environments for Gymnasium, PettingZoo and OpenSpiel; each needs its library.
"""

from ._core import (
    ACTION_COLUMNS,
    GROUND_LAYERS,
    SCALARS,
    UNIT_COLUMNS,
    Battle,
    BattleOver,
    Refused,
    Run,
    SabretacheError,
    ScenarioError,
    VecBattle,
    __version__,
    check,
    odds,
    rulesets,
    scenario,
    scenarios,
    tests,
    word_code,
)
from .lab import simulate

__all__ = [
    "ACTION_COLUMNS",
    "Battle",
    "BattleOver",
    "GROUND_LAYERS",
    "Refused",
    "Run",
    "SCALARS",
    "SabretacheError",
    "ScenarioError",
    "UNIT_COLUMNS",
    "VecBattle",
    "__version__",
    "check",
    "odds",
    "rulesets",
    "scenario",
    "scenarios",
    "simulate",
    "tests",
    "word_code",
]
