import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** `npm run dev` shows the client as it is written and passes what is the server's on to it. */
const server = 'http://127.0.0.1:1815';

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2023', chunkSizeWarningLimit: 700 },
  server: { proxy: { '/api': { target: server, ws: true } } },
  test: { include: ['src/**/*.test.ts'] },
});
