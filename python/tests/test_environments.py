"""Gymnasium, PettingZoo and OpenSpiel, by those projects' own tests."""

import warnings

import gymnasium
import numpy as np
import pyspiel
import pytest
import sabretache.openspiel
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from sabretache import SabretacheError
from sabretache.gym import SabretacheEnv
from sabretache.zoo import env as zoo_env

BOOKS = ["teaching", "the-crossroads", "meeting"]


@pytest.mark.parametrize("scenario", BOOKS)
def test_gymnasium_finds_nothing_wrong(scenario):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*render_mode.*|.*different render modes.*|.*from a wrapper.*|.*spec.*")
        check_env(SabretacheEnv(scenario, opponent="recruit"))


def test_an_episode_of_gymnasium_comes_to_its_end():
    env = SabretacheEnv("teaching", "B", opponent="recruit", set=("options.turns=2",), reward="worth", action_features=True, render_mode="ansi")
    assert isinstance(env, gymnasium.Env)
    ends = []
    for _ in range(2):
        seen, info = env.reset(seed=4)
        total, done, steps = 0.0, False, 0
        env.action_space.seed(4)
        while not done:
            assert (seen["action_mask"] == info["action_mask"]).all() and env.action_masks().any()
            action = env.action_space.sample(seen["action_mask"])
            seen, reward, terminated, truncated, info = env.step(action)
            assert env.observation_space.contains(seen) and not info["refused"]
            total, done, steps = total + reward, terminated or truncated, steps + 1
        assert env.battle.over and env.render()
        ends.append((total, steps, env.battle.log()))
    assert ends[0] == ends[1]
    with pytest.raises(SabretacheError):
        env.step(0)


def test_a_number_that_is_no_action_changes_nothing():
    env = SabretacheEnv("teaching", opponent="recruit", most_steps=2)
    seen, _ = env.reset(seed=1)
    saved = env.battle.save()
    again, reward, terminated, truncated, info = env.step(511)
    assert info["refused"] and reward == 0 and not terminated and not truncated and env.battle.save() == saved
    assert (again["observation"] == seen["observation"]).all()
    assert env.step(511)[3], "and counts as a step"


@pytest.mark.parametrize("scenario", BOOKS)
def test_pettingzoo_finds_nothing_wrong(scenario):
    with warnings.catch_warnings():
        # Its test would rather have one array than a dictionary; the mask needs the dictionary.
        warnings.simplefilter("ignore")
        api_test(zoo_env(scenario, render_mode="ansi"), num_cycles=300)


def test_pettingzoo_plays_to_the_end_and_the_same_again():
    seed_test(lambda: zoo_env("teaching"), num_cycles=60)
    env, chance, winners = zoo_env("teaching"), np.random.default_rng(0), []
    for seed in range(60):
        if any(winners):
            break
        env.reset(seed=seed)
        totals = {agent: 0.0 for agent in env.agents}
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            totals[agent] += reward
            env.step(None if terminated or truncated else chance.choice(np.flatnonzero(seen["action_mask"])))
        battle = env.unwrapped.battle
        winners.append(battle.winner)
        assert battle.over and sum(totals.values()) == 0
        assert totals["player_0"] == {"A": 1, "B": -1, None: 0}[battle.winner]
    assert any(winners), "nobody ever won"
    env.reset(seed=3)
    with pytest.raises(SabretacheError):
        env.step(511)


@pytest.mark.parametrize("scenario", BOOKS)
def test_openspiel_finds_nothing_wrong(scenario):
    game = pyspiel.load_game(f"python_sabretache(scenario={scenario},most_choices=60)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_openspiel_throws_dice_as_chance():
    game = pyspiel.load_game("python_sabretache(scenario=teaching,most_choices=400)")
    chance, winners = np.random.default_rng(1), []
    for _ in range(5):
        state, thrown = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                assert sum(weights) == pytest.approx(1) and len(outcomes) > 1
                thrown += 1
                state.apply_action(int(chance.choice(outcomes, p=np.array(weights) / sum(weights))))
            else:
                state.apply_action(int(chance.choice(state.legal_actions())))
        winners.append(state.battle.winner)
        assert thrown > 10 and state.returns() == {"A": [1, -1], "B": [-1, 1], None: [0, 0]}[state.battle.winner]
    assert any(winners), "nobody ever won"
    with pytest.raises(Exception, match="no scenario"):
        pyspiel.load_game("python_sabretache(scenario=nowhere)")
