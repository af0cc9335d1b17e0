import { defineConfig } from 'rolldown';

export default defineConfig([
  { input: 'src/main.ts', output: { dir: 'dist', format: 'esm', minify: true } },
  { input: 'src/script.ts', output: { dir: 'dist', format: 'iife', minify: true } },
]);
