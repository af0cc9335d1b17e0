import { indexItems } from '../../apps/server/src/content/built-in/search-index-jobs.ts';
import { createStartingCollections } from '../../apps/server/src/content/built-in/starting-collections.ts';
import { execute, rowsOf, type Database } from '../../apps/server/src/platform/database/database.ts';
import { insertCrowd } from './many-organizations.ts';
import { say } from './benchmark.ts';

export interface AgencySize {
  clients: number;
  campaigns: number;
  /** Opens, clicks and unsubscribes of all campaigns together. */
  events: number;
  contacts: number;
}

export interface Agency {
  organization_id: string;
  /** Id of the client that the guest is limited to. */
  client_id: string;
  owner: string;
  guest: string;
}

/**
 * Builds one organization with two brands per client and 14 months of campaigns with one sent email each. Events have a
 * realistic distribution: most in the first hours, some after weeks. Only the totals of events are stored; single events
 * and deliveries are not, because the benchmarks do not read them.
 */
export async function buildAgency(owner: Database, size: AgencySize): Promise<Agency> {
  const agency = await owner.transaction().execute(async (trx) => {
    const { clients, campaigns } = size;
    await insertCrowd(trx, { organizations: 1, clients, brands: 2, campaigns, days: 425 });
    await execute(trx)`update campaigns set status = 'completed'`;
    await execute(trx)`update touchpoints set status = 'sent'`;
    const rows = await rowsOf<Agency>(trx)`
      select organization_id, c.client_id, 'owner1@people.example' as owner, 'guest1@people.example' as guest
      from organization_user_clients c
    `;
    const { organization_id } = rows[0]!;
    await execute(trx)`
      create temporary table sent on commit drop as
      select t.id as touchpoint_id, uuidv7() as send_id, c.brand_id, c.created_at as at
      from touchpoints t
      join campaigns c on c.id = t.campaign_id
    `;
    await execute(trx)`
      insert into touchpoint_sends (id, organization_id, touchpoint_id, brand_id, status, send_date, end_date, created_at,
        recipients_total_count, recipients_total_sent_count, recipients_accepted_count)
      select send_id, ${organization_id}, touchpoint_id, brand_id, 'completed', at, at, at, 5000, 5000, 5000 from sent
    `;
    await execute(trx)`
      insert into delivery_result_totals (organization_id, touchpoint_id, at, send_id, state, class, count)
      select ${organization_id}, touchpoint_id, date_bin('15 minutes', at, 'epoch'), send_id, state, class, count
      from sent, (values ('sent', '', 4950), ('bounced', 'mailbox', 50)) result(state, class, count)
    `;
    await execute(trx)`
      select add_to_counts(array_agg(row(${organization_id}::uuid, touchpoint_id, send_id, type, value, at, 1, null)::count_delta))
      from (
        select s.touchpoint_id, s.send_id, s.at - ln(1 - random()) * interval '18 hours' as at, random() < 0.7 as is_first,
          case when e.n % 100 = 0 then 'UNSUBSCRIBE' when e.n % 4 = 0 then 'CLICK' else 'OPEN_EMAIL' end as type
        from sent s, generate_series(1, ${Math.round(size.events / size.campaigns)}::int) e(n)
      ) event
      cross join lateral (values ('unique', is_first), ('human', true)) v (value, is_counted)
      where at < now() and is_counted
      -- Rows of a day are near each other, as they come in.
      group by (at at time zone 'UTC')::date
      order by (at at time zone 'UTC')::date
    `;
    await createStartingCollections(trx, organization_id);
    await execute(trx)`
      insert into content_items (organization_id, collection, id, data, date_created)
      select ${organization_id}, 'contacts', uuidv7(), jsonb_build_object('email', 'person' || n || '@mail.example',
          'first_name', (array['Anna', 'Berta', 'Carl', 'Dora', 'Emil', 'Fritz', 'Gerda'])[n % 7 + 1] || n % 1000,
          'last_name', 'Number ' || n, 'company', 'Company ' || n % 5000, 'city', 'City ' || n % 300, 'language', 'en',
          'vip', n % 50 = 0, 'unsubscribed', false),
        now() - (${size.contacts}::int - n) * interval '1 second'
      from generate_series(1, ${size.contacts}::int) n
    `;
    await execute(trx)`
      update content_collections set items_count = ${size.contacts}
      where organization_id = ${organization_id} and collection = 'contacts'
    `;
    await execute(trx)`
      insert into content_search_queue (organization_id, collection, item_ids)
      select ${organization_id}, 'contacts', array_agg(id)
      from (
        select id, (row_number() over (order by date_created) - 1) / 1000 as part from content_items
        where organization_id = ${organization_id} and collection = 'contacts'
      ) item
      group by part order by part
    `;
    return rows[0]!;
  });
  if (size.contacts > 0) await indexContacts(owner, size.contacts);
  await execute(owner)`vacuum analyze`;
  return agency;
}

/** Builds the search index, as a worker's job does after an import. */
async function indexContacts(owner: Database, contacts: number): Promise<void> {
  const start = performance.now();
  const log = { warn: (_about: unknown, what?: string) => say(`  ${what}`) };
  const failed = await indexItems({ db: owner, log }, new AbortController().signal);
  if (failed > 0) throw new Error('The contacts could not be indexed.');
  say(`  indexed ${Math.round((contacts * 1_000) / (performance.now() - start))} contacts/s`);
}
