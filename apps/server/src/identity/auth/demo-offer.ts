/**
 * What the sign-in page says of the demo: `open` to a browser that may open it, `needs_link` to others; null where there is
 * none, or where nobody is to know of it.
 */
export type DemoOffer = 'open' | 'needs_link' | null;
