import { isContractProcedure } from '@orpc/contract';
import type { OperationMeta } from '@reachout/contract/operation.ts';
import { contract } from '@reachout/contract/router.ts';
import babel from '@rolldown/plugin-babel';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chunkGroups, chunks as sharedChunks } from './chunks.ts';
import { contractBounds } from './contract-bounds.ts';
import { directImports, nativeTables } from './direct-imports.ts';
import { worldFile } from './world-file.ts';

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
        ? `const operation = (route, bodyField) => {
             const [method, path] = route.split(' ');
             return { '~orpc': { errorMap: {}, meta: { bodyField }, route: { method, path } } };
           };
           export const routes = ${writeRoutes(contract)};`
        : undefined,
  };
}

/** The app needs how an input is sent; summaries, access rules and errors are for the server and its documentation. */
function writeRoutes(router: object): string {
  if (!isContractProcedure(router))
    return `{${Object.entries(router)
      .map(([name, part]) => `${name}:${writeRoutes(part as object)}`)
      .join()}}`;
  const { meta, route } = router['~orpc'];
  const { bodyField } = meta as { bodyField?: string };
  const values = [`${route.method} ${route.path}`, ...(bodyField === undefined ? [] : [bodyField])];
  return `operation(${values.map((value) => JSON.stringify(value)).join()})`;
}

/** What the lists of the app offer is what the contract allows: the permissions of each operation of members. */
function contractPermissions(): Plugin {
  const name = 'virtual:contract-permissions';
  return {
    name: 'contract-permissions',
    resolveId: (source) => (source === name ? `\0${name}` : undefined),
    load: (source) =>
      source === `\0${name}`
        ? `export const permissions = ${JSON.stringify(Object.fromEntries(permissionsOf(contract)))};`
        : undefined,
  };
}

function permissionsOf(router: object, path: readonly string[] = []): [operation: string, needed: string][] {
  if (!isContractProcedure(router))
    return Object.entries(router).flatMap(([name, part]) => permissionsOf(part as object, [...path, name]));
  const { access } = router['~orpc'].meta as unknown as OperationMeta;
  if (access.who !== 'member') return [];
  const needed = [access.permission, ...access.additionalPermissions].map((each) => each.join(' '));
  return [[path.join('.'), needed.join()]];
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

/**
 * Names the files of the dashboard and of the frame around all pages in `index.html`, which requests them beside `main`:
 * only the running app knows them otherwise, a round trip later.
 */
function earlyFiles(): Plugin {
  const textsOf = /\/src\/i18n\/(\w+)\/(?:app|common)\.ts$/;
  return {
    name: 'early-files',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files: Record<string, Set<string>> = {};
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const app = chunks.find(
          ({ name, moduleIds }) => name === 'app' && moduleIds.some((id) => id.endsWith('.tsx')),
        );
        for (const { fileName, moduleIds } of chunks.filter(({ name }) => name !== 'main'))
          for (const id of moduleIds) {
            const language = textsOf.exec(id)?.[1];
            if (app && language !== undefined) (files[language] ??= new Set([app.fileName])).add(fileName);
          }
        const entries = Object.entries(files).map(([language, names]) => [
          language,
          [...names].map((name) => `/${name}`),
        ]);
        return html.replace(
          'const files = {};',
          `const files = ${JSON.stringify(Object.fromEntries(entries))};`,
        );
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    directImports(),
    nativeTables(),
    contractRoutes(),
    contractBounds(),
    contractPermissions(),
    styleBehindFrame(),
    earlyFiles(),
    worldFile(),
    tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single' }),
    react(),
    babel({ presets: [reactCompilerPreset()] }),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    // All browsers that know the rest of what is used here preload modules themselves.
    modulePreload: {
      polyfill: false,
      // The lists of what to load together with a page are part of the first load. What is there by then is left out, and the
      // page itself, which is asked for at once.
      resolveDependencies: (page, files, { hostType }) =>
        hostType === 'html'
          ? files
          : files.filter((file) => file !== page && !/\/(?:rolldown-runtime|vendor|main)-/.test(file)),
    },
    // One style sheet: each of its own would be a request more, and they are small beside that of the component library.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups() },
        // The first load has the names of all files; those of single pages are short.
        chunkFileNames: ({ name }) =>
          [...sharedChunks, 'rolldown-runtime'].includes(name)
            ? 'assets/[name]-[hash].js'
            : 'assets/[hash].js',
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': 'http://127.0.0.1:3000', '/content': 'http://127.0.0.1:3000' },
  },
});
