// @ts-check
/** A real server with a real database: the program itself, or the one that the variable SABRETACHE names. It was built with Picket for the tests. */

import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** A new empty folder for a database. */
export const freshFolder = () => mkdtempSync(join(tmpdir(), 'sabretache-'));

/**
 * Starts the server and waits until it answers.
 * @param {string} address where to listen; port 0 for any
 * @param {string} folder where the database is
 * @returns {Promise<{ url: string, stop: (signal?: NodeJS.Signals) => Promise<void> }>}
 */
export function startServer(address = '127.0.0.1:0', folder = freshFolder()) {
  const built = join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'debug');
  const program = process.env.SABRETACHE ?? join(built, 'sabretache');
  const words = ['serve', '--no-browser', '--address', address, '--data', folder];
  const child = spawn(program, words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((done) => child.once('exit', done));
  return new Promise((done, fail) => {
    let said = '';
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}: ${said}`)));
    child.stdout.on('data', (piece) => {
      said += piece;
      const url = /Sabretache is at (\S+)\//.exec(said)?.[1];
      if (url) done({ url, stop: async (signal = 'SIGKILL') => void (child.kill(signal), await ended) });
    });
  });
}
