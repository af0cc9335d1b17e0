/**
 * The demo on the sign-in page: `open` for a browser that may open it, `needs_link` for others; null if there is no
 * demo, or it is hidden.
 */
export type DemoOffer = 'open' | 'needs_link' | null;
