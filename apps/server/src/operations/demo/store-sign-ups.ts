import { createPastSignUps } from '../../content/sign-ups/create-past-sign-ups.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newIdAt } from '../../platform/ids.ts';
import { websiteBrand } from './invent-visits.ts';
import type { Place } from './make-records.ts';
import type { Person } from './people.ts';
import { plots } from './story/story.ts';

/** The newest contacts of the brand have come by its form. */
const confirmed = 6;
const minuteMs = 60_000;

/** Stores a sign-up form on the website, with the sign-ups of its newest contacts and one that waits. */
export async function storeSignUps(
  trx: Transaction,
  { story, organizationId, userId, now }: Place,
  brandId: string,
  collection: string,
  people: readonly Person[],
): Promise<void> {
  const { waiting, first_name, ...texts } = story.signUps;
  const newest = people
    .filter(({ brands, isDead }) => brands.has(websiteBrand) && !isDead)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, confirmed);
  const createdAt = new Date(Math.min(...newest.map(({ at }) => at.getTime())) - 60 * minuteMs);
  const base = { source_page: plots[websiteBrand].domain, ip_prefix: '203.0.113.0/24' };
  await createPastSignUps(
    trx,
    {
      organization_id: organizationId,
      id: newIdAt(createdAt),
      brand_id: brandId,
      collection,
      created_by: userId,
      created_at: createdAt,
      language: story.language,
      fields: [{ name: 'first_name', label: first_name, is_required: false }],
      topic_ids: [],
      asks_tracking: false,
      ...texts,
    },
    [
      ...newest.map(({ id, at, data }) => ({
        ...base,
        id: newIdAt(at),
        address: data.email,
        field_values: { first_name: data['first_name'] as string },
        requested_at: new Date(at.getTime() - 5 * minuteMs),
        confirmed_at: at,
        contact_id: id,
      })),
      {
        ...base,
        id: newIdAt(new Date(now.getTime() - 90 * minuteMs)),
        address: waiting,
        field_values: {},
        requested_at: new Date(now.getTime() - 90 * minuteMs),
        confirmed_at: null,
        contact_id: null,
      },
    ],
  );
}
