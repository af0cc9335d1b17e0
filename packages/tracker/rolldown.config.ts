import { defineConfig } from 'rolldown';

export default defineConfig([
  // Applications that use no items load none of their functions.
  { input: ['src/main.ts', 'src/items.ts'], output: { dir: 'dist', format: 'esm', minify: true } },
  { input: 'src/script.ts', output: { dir: 'dist', format: 'iife', minify: true } },
]);
