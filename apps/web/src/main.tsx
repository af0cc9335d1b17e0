import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/nprogress/styles.css';
import '@mantine/spotlight/styles.css';
import './styles/fonts.css';
import './styles/global.css';
import './styles/brand-colors.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from './i18n/i18n.ts';
import { onConnectionChange, watchConnection } from './platform/connection.ts';
import { watchChunkErrors } from './platform/lazy-chunks.ts';
import { allowStyleSheetsOnly } from './platform/trusted-types.ts';
import { queryClient } from './platform/query-client.ts';
import { router } from './router.ts';
import { resolver, theme } from './theme.ts';

/** A function, because top-level await would block modules that are loaded meanwhile and import from its chunk. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  allowStyleSheetsOnly();
  watchConnection();
  watchChunkErrors();
  await startI18n();
  // The static frame of index.html stays until a page can be shown, or until there is no connection.
  await Promise.race([router.load(), new Promise((resolve) => onConnectionChange(resolve))]);
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolver}
        // Our values come before the style sheet (vite.config.ts), whose defaults would win at equal specificity.
        cssVariablesSelector=":root:root"
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

void start();
