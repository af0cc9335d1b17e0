import type { EntryPlace } from './current.ts';

/** Where the side navigation leads, per organization. Pure, so that a test can hold the prefix rule. */
export function entryPlaces(base: string) {
  return {
    dashboard: { href: base, exact: true },
    clients: { href: `${base}/clients`, alternates: [`${base}/brands`] },
    campaigns: { href: `${base}/campaigns` },
    touchpoints: { href: `${base}/touchpoints` },
    templates: { href: `${base}/templates` },
    audiences: { href: `${base}/audiences` },
    collections: { href: `${base}/collections` },
    mailbox: { href: `${base}/mailbox` },
  } satisfies Record<string, EntryPlace>;
}

export type PlaceName = keyof ReturnType<typeof entryPlaces>;
