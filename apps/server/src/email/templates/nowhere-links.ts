import type { MessageLinks } from './render-page.ts';

/** Placeholders for the signed URLs of a message that is only displayed. */
export const nowhereLinks = {
  unsubscribe: 'about:blank#unsubscribe',
  preferences: 'about:blank#preferences',
  view_in_browser: 'about:blank#view_in_browser',
} as const satisfies MessageLinks;
