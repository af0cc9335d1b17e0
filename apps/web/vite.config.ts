import { minifyContractRouter } from '@orpc/contract';
import { contract } from '@reachout/contract/router.ts';
import babel from '@rolldown/plugin-babel';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chunkGroups } from './chunks.ts';
import { directImports } from './direct-imports.ts';

/**
 * The API client only needs method and path of each operation. Leaving the schemas out keeps the validation library out
 * of the first load.
 */
function contractRoutes(): Plugin {
  const name = 'virtual:contract-routes';
  return {
    name: 'contract-routes',
    resolveId: (source) => (source === name ? `\0${name}` : undefined),
    load: (source) =>
      source === `\0${name}`
        ? `export const routes = ${JSON.stringify(minifyContractRouter(contract), withoutDocs)};`
        : undefined,
  };
}

/** Summaries, tags and access rules are for the server and its documentation. */
function withoutDocs(key: string, value: unknown): unknown {
  if (key === 'summary' || key === 'tags') return undefined;
  return key === 'meta' || key === 'errorMap' ? {} : value;
}

/** The browser shows what stands before a style sheet while that is on its way: the frame of `index.html`. */
function styleBehindFrame(): Plugin {
  const link = /\s*<link rel="stylesheet"[^>]*>/;
  return {
    name: 'style-behind-frame',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replace(link, '').replace('<noscript>', `${link.exec(html)?.[0].trim() ?? ''}\n    <noscript>`),
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    directImports(),
    contractRoutes(),
    styleBehindFrame(),
    tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single' }),
    react(),
    babel({ presets: [reactCompilerPreset()] }),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    // One style sheet: each of its own would be a request more, and they are small beside that of the component library.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups() } } },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': 'http://127.0.0.1:3000', '/content': 'http://127.0.0.1:3000' },
  },
});
