import type { Transaction } from '../../platform/database/database.ts';
import { newIdAt } from '../../platform/ids.ts';
import { buildSignUpForm } from '../../sample/sign-ups.ts';
import { websiteBrand } from './invent-visits.ts';
import type { Place } from './make-records.ts';
import type { Person } from './people.ts';
import { plots } from './story/story.ts';

/** The newest contacts of the brand have come by its form. */
const confirmed = 6;
const minuteMs = 60_000;
/** For documentation (RFC 5737). */
const network = '203.0.113.0/24';

/** Stores a sign-up form on the website, with the sign-ups of its newest contacts and one that waits. */
export async function storeSignUps(
  trx: Transaction,
  { story, organizationId, userId, now }: Place,
  brandId: string,
  collection: string,
  people: readonly Person[],
): Promise<void> {
  const { name, waiting, first_name, ...texts } = story.signUps;
  const newest = people
    .filter(({ brands, isDead }) => brands.has(websiteBrand) && !isDead)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, confirmed);
  const createdAt = new Date(Math.min(...newest.map(({ at }) => at.getTime())) - 60 * minuteMs);
  const since = { created_at: createdAt.toISOString(), updated_at: createdAt.toISOString() };
  const signUp = (address: string, at: Date) => ({
    id: newIdAt(at),
    address,
    source_page: plots[websiteBrand].domain,
    requested_at: at.toISOString(),
    requested_ip_prefix: network,
  });
  await buildSignUpForm(
    trx,
    {
      organization_id: organizationId,
      id: newIdAt(createdAt),
      brand_id: brandId,
      collection,
      name,
      ...since,
      content: {
        created_by: userId,
        language: story.language,
        fields: JSON.stringify([{ name: 'first_name', label: first_name, is_required: false }]),
        ...texts,
      },
    },
    [
      ...newest.map(({ id, at, data }) => ({
        ...signUp(data.email, new Date(at.getTime() - 5 * minuteMs)),
        field_values: JSON.stringify({ first_name: data['first_name'] }),
        confirmed_at: at.toISOString(),
        confirmed_ip_prefix: network,
        contact_id: id,
      })),
      signUp(waiting, new Date(now.getTime() - 90 * minuteMs)),
    ],
  );
}
