import { sql } from 'kysely';
import type { ClickCountryRow, DeviceRow, FailureRow, ProviderRow } from '@reachout/contract/statistics.ts';
import { rowsOf, type Transaction } from '../../platform/database/database.ts';
import { selectFailures } from '../../queue/failures-sql.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';

const sendsOf = ({ organizationId, touchpointId, sendId }: StatisticsQuery) => sql`
  select id from touchpoint_sends
  where organization_id = ${organizationId} and touchpoint_id = ${touchpointId} and kind <> 'test'
    and (${sendId ?? null}::uuid is null or id = ${sendId ?? null}::uuid)`;

/**
 * Lists results by the mail provider assigned when the audience was stored, largest first. A send numbers its deliveries
 * lane by lane, so each lane is one range of numbers. Single messages have no lasting lane and are left out.
 */
export async function listProviders(trx: Transaction, query: StatisticsQuery): Promise<ProviderRow[]> {
  const { organizationId } = query;
  const inLane = sql`organization_id = ${organizationId} and send_id = l.send_id and seq between l.first_seq and l.last_seq`;
  return await rowsOf<ProviderRow>(trx)`
    with lanes as materialized (
      select send_id, lane, min(first_seq) as first_seq, max(last_seq) as last_seq
      from delivery_chunks
      where organization_id = ${organizationId} and send_id in (${sendsOf(query)})
      group by send_id, lane
    )
    select l.lane as provider, sum(l.last_seq - l.first_seq + 1)::bigint as recipients,
      sum(r.delivered)::bigint as delivered, sum(r.not_measured)::bigint as not_measured, sum(r.bounced)::bigint as bounced,
      sum(e.opened)::bigint as opened, sum(e.clicked)::bigint as clicked
    from lanes l
    cross join lateral (
      select count(*) filter (where state = 'sent') as delivered,
        count(*) filter (where state = 'sent' and not tracked) as not_measured, count(*) filter (where state = 'bounced') as bounced
      from delivery_results where ${inLane}
    ) r
    cross join lateral (
      select count(*) filter (where type = 'OPEN_EMAIL') as opened, count(*) filter (where type = 'CLICK') as clicked
      from delivery_event_counts
      where ${inLane} and type in ('OPEN_EMAIL', 'CLICK') and link_no = -1 and first_human_at is not null
    ) e
    group by l.lane
    order by recipients desc, provider
  `;
}

/** The most rows of failures: each names a domain, of which an audience may have thousands. */
const mostFailures = 100;

/** Lists what was not delivered by reason and recipient domain, most first, with the words of the last server that said so. */
export const listFailures = (trx: Transaction, query: StatisticsQuery) => rowsOf<FailureRow>(trx)`
  select state, class, domain, count(*)::bigint as count, count(accepted_at)::bigint as late, max(at) as last_at,
    max(reply) filter (where place = 1) as reply
  from (
    select *, row_number() over (partition by state, class, domain order by at desc) as place
    from (${selectFailures(query.organizationId, sendsOf(query))}) failure
  ) failure
  group by state, class, domain
  order by count desc, last_at desc
  limit ${mostFailures}
`;

/**
 * Lists opens and clicks by device, from each message's first open and first click by a person; the rows add up to the
 * unique opens and clicks. `unknown` covers readers who ask not to be tracked and programs that do not report their device.
 */
export const listDevices = (trx: Transaction, query: StatisticsQuery) => rowsOf<DeviceRow>(trx)`
  with firsts as (
    select distinct on (type, send_id, seq) type, user_agent
    from events
    where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId}
      and type in ('OPEN_EMAIL', 'CLICK') and not is_bot and send_id in (${sendsOf(query)})
    order by type, send_id, seq, at
  ), agents as materialized (
    -- Few of so many readers' programs differ: patterns are compared once for each.
    select type, user_agent, count(*) as count from firsts group by type, user_agent
  )
  select case
      -- An image proxy names a device of its own.
      when user_agent ~* 'imageproxy|yahoomailproxy' then 'unknown'
      when user_agent ~* 'ipad|tablet|kindle|android(?!.*mobile)' then 'tablet'
      when user_agent ~* 'iphone|ipod|mobile|phone' then 'phone'
      when user_agent ~* 'windows|macintosh|x11|linux|cros' then 'computer'
      else 'unknown'
    end as device,
    coalesce(sum(count) filter (where type = 'OPEN_EMAIL'), 0)::bigint as opened,
    coalesce(sum(count) filter (where type = 'CLICK'), 0)::bigint as clicked
  from agents
  group by 1
  order by sum(count) desc, 1
`;

/**
 * Lists messages by the country of their first click by a person; the rows add up to the unique clicks. `null` is for readers
 * who ask not to be tracked, and addresses of which no country is known.
 */
export const listClickCountries = (trx: Transaction, query: StatisticsQuery) => rowsOf<ClickCountryRow>(trx)`
  select country, count(*) as clicked
  from (
    select distinct on (send_id, seq) country
    from events
    where organization_id = ${query.organizationId} and touchpoint_id = ${query.touchpointId}
      and type = 'CLICK' and not is_bot and send_id in (${sendsOf(query)})
    order by send_id, seq, at
  ) firsts
  group by country
  order by clicked desc, country
`;
