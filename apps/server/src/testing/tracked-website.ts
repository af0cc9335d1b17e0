import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { rowsOf, type Database } from '../platform/database/database.ts';
import { newToken } from '../platform/secrets.ts';
import { buildTouchpoint } from '../sample/records.ts';
import { getRow } from './rows.ts';

export interface TestWebsite {
  /** The id that its pages send. */
  id: string;
  token: string;
  organizationId: string;
  touchpointId: string;
}

/** Builds a website that is active, with pages on `shop.example`; in an organization of its own, unless one is given. */
export async function buildWebsite(
  owner: Database,
  { hosts = ['shop.example'], ...given }: { hosts?: string[] } & Parameters<typeof buildTouchpoint>[1] = {},
): Promise<TestWebsite> {
  const token = newToken();
  const { id: touchpoint_id, organization_id } = await buildTouchpoint(owner, {
    status: 'active',
    ...given,
    type: 'website',
    website: { hosts, token },
  });
  const { id } = await getRow(owner, 'touchpoint_websites', ['id'], { touchpoint_id });
  return { id, token, organizationId: organization_id, touchpointId: touchpoint_id };
}

export const websiteHeaders = ({ id, token }: Pick<TestWebsite, 'id' | 'token'>): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'x-website-id': id,
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
});

/** A page view as the tracking client sends it. */
export const pageView = (more: Record<string, unknown> = {}) => ({
  type: 'VIEW_PAGE',
  timestamp: new Date().toISOString(),
  event_id: randomUUID(),
  anonymous_id: '5f0c3b1e-6a54-4b8e-9f1d-3c1b5a8e7d21',
  user_id: null,
  collection: null,
  event: null,
  title: 'Shoes',
  url: 'https://shop.example/en/shoes?page=2#reviews',
  path: '/en/shoes',
  hash: '#reviews',
  search: '?page=2',
  language: 'en-GB',
  width: 1440,
  height: 900,
  referrer: 'https://www.google.com/',
  ...more,
});

export interface StoredVisitorEvent {
  id: string;
  type: string;
  at: Date;
  visitor_id: string;
  name: string | null;
  url: string;
  path: string;
  title: string | null;
  referrer: string | null;
  referrer_host: string | null;
  language: string | null;
  country: string | null;
  width: number | null;
  height: number | null;
  user_id: string | null;
  collection: string | null;
  is_bot: boolean;
}

/** Lists the events of a website, whether they are folded or not, by the time that they happened. */
export async function listVisitorEvents(
  owner: Database,
  { touchpointId }: Pick<TestWebsite, 'touchpointId'>,
): Promise<StoredVisitorEvent[]> {
  const columns = sql`id, type, at, visitor_id, name, url, path, title, referrer, referrer_host, language, country, width,
    height, user_id, collection, is_bot`;
  return await rowsOf<StoredVisitorEvent>(owner)`
    select ${columns} from unfolded_visitor_events where touchpoint_id = ${touchpointId}
    union
    select ${columns} from visitor_events where touchpoint_id = ${touchpointId}
    order by at, id
  `;
}
