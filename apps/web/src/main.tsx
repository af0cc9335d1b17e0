import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/nprogress/styles.css';
import './styles/fonts.css';
import './styles/global.css';
import './styles/brand-colors.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from './i18n/i18n.ts';
import { watchConnection } from './platform/connection.ts';
import { watchChunkErrors } from './platform/lazy-chunks.ts';
import { allowStyleSheetsOnly } from './platform/trusted-types.ts';
import { queryClient } from './platform/query-client.ts';
import { router } from './router.ts';
import { resolver, theme } from './theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

allowStyleSheetsOnly();
watchConnection();
watchChunkErrors();
await startI18n();
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={resolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
