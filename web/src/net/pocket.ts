/**
 * The tests of the books without a net: the rules themselves, compiled to WebAssembly (`make pocket`), asked one question at a time.
 *
 * The program reads its question from standard input and writes the answer to standard output; this is all of a machine that it needs.
 */

type Fill = (memory: WebAssembly.Memory, ...words: number[]) => number;

const DONE = 0;
const BAD_FILE = 8;
const NOT_HERE = 52;

class Ended extends Error {}

let compiled: Promise<WebAssembly.Module> | null = null;

/** Fetched once; the worker keeps it for when there is no net. */
function program(): Promise<WebAssembly.Module> {
  compiled ??= fetch('/pocket.wasm').then(async (answer) => {
    if (!answer.ok || !(answer.headers.get('Content-Type') ?? '').includes('wasm')) throw new TypeError('this program was built without the pocket');
    return WebAssembly.compile(await answer.arrayBuffer());
  });
  compiled.catch(() => (compiled = null));
  return compiled;
}

/** Made ready while there is a net; whether it can answer without one. */
export const ready = (): Promise<boolean> => program().then(
  () => true,
  () => false,
);

/** Runs it with a text on standard input; what it wrote to standard output. */
export async function run(module: WebAssembly.Module, input: Uint8Array): Promise<string> {
  const written: Uint8Array[] = [];
  let read = 0;
  const calls: Record<string, Fill> = {
    fd_read: (memory, file, vectors, count, told) => {
      if (file !== 0) return BAD_FILE;
      const view = new DataView(memory.buffer);
      let taken = 0;
      for (let n = 0; n < count; n += 1) {
        const [at, length] = [view.getUint32(vectors + n * 8, true), view.getUint32(vectors + n * 8 + 4, true)];
        const piece = input.subarray(read, read + length);
        new Uint8Array(memory.buffer).set(piece, at);
        read += piece.length;
        taken += piece.length;
      }
      view.setUint32(told, taken, true);
      return DONE;
    },
    fd_write: (memory, file, vectors, count, told) => {
      const view = new DataView(memory.buffer);
      let taken = 0;
      for (let n = 0; n < count; n += 1) {
        const [at, length] = [view.getUint32(vectors + n * 8, true), view.getUint32(vectors + n * 8 + 4, true)];
        if (file === 1) written.push(new Uint8Array(memory.buffer).slice(at, at + length));
        taken += length;
      }
      view.setUint32(told, taken, true);
      return DONE;
    },
    environ_sizes_get: (memory, count, size) => {
      const view = new DataView(memory.buffer);
      view.setUint32(count, 0, true);
      view.setUint32(size, 0, true);
      return DONE;
    },
    environ_get: () => DONE,
    random_get: (memory, at, length) => {
      crypto.getRandomValues(new Uint8Array(memory.buffer, at, length));
      return DONE;
    },
    proc_exit: () => {
      throw new Ended();
    },
  };
  const holder: { memory: WebAssembly.Memory | null } = { memory: null };
  const wanted = WebAssembly.Module.imports(module).map(({ name }) => name);
  const imports = Object.fromEntries(wanted.map((name) => [name, (...words: number[]) => (holder.memory ? (calls[name]?.(holder.memory, ...words) ?? NOT_HERE) : NOT_HERE)]));
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
  holder.memory = exports.memory as WebAssembly.Memory;
  try {
    (exports._start as () => void)();
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
  }
  const text = new TextDecoder();
  return written.map((piece) => text.decode(piece, { stream: true })).join('') + text.decode();
}

/** What the books say to a question. */
export async function asked<T>(question: unknown): Promise<{ answer: T } | { problem: { why: string; diagnostics?: { message: string; path: string }[] } }> {
  return JSON.parse(await run(await program(), new TextEncoder().encode(JSON.stringify(question)))) as { answer: T };
}
