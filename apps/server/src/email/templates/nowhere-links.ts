import type { MessageLinks } from './render-page.ts';

/** In place of the signed addresses of a message, where it is only looked at. */
export const nowhereLinks = {
  unsubscribe: 'about:blank#unsubscribe',
  preferences: 'about:blank#preferences',
  view_in_browser: 'about:blank#view_in_browser',
} as const satisfies MessageLinks;
