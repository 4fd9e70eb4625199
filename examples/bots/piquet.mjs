#!/usr/bin/env node
// The Piquet: a bot for Sabretache in JavaScript for Node, without any package.
//
//   sabretache fight teaching --b "exec:node examples/bots/piquet.mjs"
//   sabretache compliance "exec:node examples/bots/piquet.mjs"
//
// It reads one JSON message a line and writes one a line (docs/bots.md). It takes any of the values that the host proposes, by
// the seed that it is told, so the same seed is the same battle; and it says what it thinks of its chances.

import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function chances(seed) {
  let state = (seed % 4294967296) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Any proposal at random; an offer that ends something only when it is the only one, or once in four times. */
function decide(go) {
  const chance = chances(go.seed);
  const ends = new Set(go.decision.offers.filter((offer) => offer.group === "end").map((offer) => offer.key));
  const open = go.proposals.filter((one) => one.values.length > 0);
  const acts = open.filter((one) => !ends.has(one.offer));
  const from = acts.length > 0 && chance() > 0.25 ? acts : open;
  const { offer, values } = from[Math.floor(chance() * from.length)];
  return { offer, value: values[Math.floor(chance() * values.length)] };
}

let asked; // the decision that is ours to make
const choose = () => say({ type: "choose", moment: asked.moment, ...decide(asked) });

const answers = {
  hello: () => say({ type: "hello", name: "Piquet", author: "the Sabretache authors", version: "1" }),
  ready: () => say({ type: "ready" }),
  battle: () => say({ type: "ready" }),
  go: (message) => {
    // A hundred points are about an average unit; so many more than the enemy has, and the battle is as good as won.
    if (message.worth !== null) say({ type: "info", score: 1 / (1 + Math.exp(-message.worth / 200)) });
    asked = message;
    choose();
  },
  // A rule forbids it after all: another chance, another choice.
  refused: () => {
    asked.seed += 1;
    choose();
  },
  quit: () => process.exit(0),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  // What it does not know, it passes over.
  answers[message.type]?.(message);
});
