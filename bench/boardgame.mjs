// Random decisions a second of boardgame.io's local client, on the tic-tac-toe of its own tutorial.
import boardgame from 'boardgame.io/dist/cjs/client.js';

const { Client } = boardgame;

const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const ticTacToe = {
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, id) => {
      if (G.cells[id] !== null) return 'INVALID_MOVE';
      G.cells[id] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    const won = lines.some((line) => line.every((n) => G.cells[n] === G.cells[line[0]] && G.cells[n] !== null));
    if (won) return { winner: ctx.currentPlayer };
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
    return undefined;
  },
};

const seconds = Number(process.argv[2] ?? 2);
let decisions = 0;
const spent = () => process.cpuUsage().user + process.cpuUsage().system;
const [begun, before] = [performance.now(), spent()];
while (performance.now() - begun < seconds * 1000) {
  const client = Client({ game: ticTacToe, debug: false });
  client.start();
  for (let state = client.getState(); !state.ctx.gameover; state = client.getState()) {
    const free = state.G.cells.flatMap((cell, n) => (cell === null ? [n] : []));
    client.moves.clickCell(free[Math.floor(Math.random() * free.length)]);
    decisions += 1;
  }
  client.stop();
}
console.log(JSON.stringify({ decisions, per_second: decisions / ((spent() - before) / 1e6) }));
