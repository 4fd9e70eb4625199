// @ts-check
/** Serves the books, and Picket, from an empty database until it is told to stop: `node scripts/serve.mjs ADDRESS`. */

import { startServer } from './server.mjs';

const server = await startServer(process.argv[2]);
console.log(server.url);
for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGTERM', 'SIGINT'])) {
  process.once(signal, () => void server.stop().then(() => process.exit(0)));
}
