import type { RecipientGroup } from '@reachout/contract/statuses.ts';
import { execute, onlyValueOf, valuesOf, type Database } from '../../platform/database/database.ts';

/** Maximum rows of the table. Beyond it, new domains stay in `other`. */
const maxDomains = 200_000;

/**
 * Makes domains due for a look-up. Those that are already due, or were looked up in the last 24 hours, are only read.
 * Sorted, so that concurrent sends lock the same domains in the same order.
 * @returns how many domains were left out because the table is full
 */
export const upsertWantedDomains = (db: Database, domains: readonly string[]) => onlyValueOf<number>(db)`
  with wanted as (
    select domain, known.looked_up_at is not null as is_known
    from unnest(${domains}::text[]) named(domain)
    left join recipient_domains known using (domain)
    where known.due_at is null and coalesce(known.looked_up_at < now() - interval '24 hours', true)
  ), stored as (
    insert into recipient_domains (domain, due_at)
    select domain, now() from wanted
    where is_known
      or (select count(*) from recipient_domains) + (select count(*) from wanted where not is_known) <= ${maxDomains}::int
    order by domain
    on conflict (domain) do update set due_at = coalesce(recipient_domains.due_at, excluded.due_at)
    returning 1
  )
  select ((select count(*) from wanted) - (select count(*) from stored))::int as left_out
`;

export const listDueDomains = (db: Database, limit: number) => valuesOf<string>(db)`
  select domain from recipient_domains where due_at <= now() order by due_at limit ${limit}
`;

export const updateGroups = (db: Database, found: ReadonlyMap<string, RecipientGroup>) => execute(db)`
  update recipient_domains d set recipient_group = found.recipient_group, looked_up_at = now(), due_at = null
  from unnest(${[...found.keys()]}::text[], ${[...found.values()]}::text[]) found(domain, recipient_group)
  where d.domain = found.domain
`;

/**
 * Postpones domains for which DNS gave no response: a known group is kept, and looked up again in an hour. A domain that
 * never had a group is deleted until a send names it again: made-up domains must not fill the table.
 */
export const postponeDomains = (db: Database, domains: readonly string[]) => execute(db)`
  with forgotten as (
    delete from recipient_domains where domain = any(${domains}::text[]) and looked_up_at is null
  )
  update recipient_domains set due_at = now() + interval '1 hour'
  where domain = any(${domains}::text[]) and looked_up_at is not null
`;

/** Deletes domains that no send has named for a while. */
export const deleteOldDomains = (db: Database) => execute(db)`
  delete from recipient_domains where looked_up_at < now() - interval '30 days'
`;
