import { sql } from 'kysely';
import type { MirroredCollection } from '@reachout/contract/rules/mirrored-collections.ts';
import {
  execute,
  onlyValueOf,
  rowsOf,
  valuesOf,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Change } from './change.ts';

/** @returns the organization of the transaction; undefined if there is nothing to note */
export async function insertChanges(
  trx: Transaction,
  {
    collection,
    ids,
    withChildren,
  }: { collection: MirroredCollection; ids: readonly string[]; withChildren: boolean },
): Promise<string | undefined> {
  const { rows } = await prepared(sql<{ organization_id: string }>`
    insert into content_outbox as o (organization_id, collection, id, with_children)
    select current_organization_id(), ${collection}, id, ${withChildren}
    from unnest(${[...ids].toSorted()}::uuid[]) as changed(id)
    on conflict (organization_id, collection, id) do update
    set version = o.version + 1, with_children = o.with_children or excluded.with_children, state = 'waiting', attempts = 0,
      changed_at = now()
    returning organization_id
  `).execute(trx);
  return rows[0]?.organization_id;
}

/** Notes all existing records: the clients, which stand for everything that belongs to them, and the templates. */
export const insertEverything = (trx: Transaction, organizationId: string) => execute(trx)`
  insert into content_outbox as o (organization_id, collection, id, with_children)
  select organization_id, 'reachout_clients', id, true
  from clients where organization_id = ${organizationId} and not deleted
  union all
  select organization_id, collection, id::uuid, false
  from content_items where organization_id = ${organizationId} and collection = 'reachout_templates'
  order by 2, 3
  on conflict (organization_id, collection, id) do update
  set version = o.version + 1, with_children = o.with_children or excluded.with_children, changed_at = now()
`;

export const retryAll = (trx: Transaction, organizationId: string) => execute(trx)`
  update content_outbox set state = 'waiting', attempts = 0, tried_at = null
  where organization_id = ${organizationId} and id in (${settledRows(organizationId)})
`;

/**
 * Skips rows that other transactions are changing: these lock records in different orders, and must not wait for each
 * other.
 */
const settledRows = (organizationId: string) => sql`
  select id from content_outbox where organization_id = ${organizationId} for no key update skip locked`;

/** The database clock, which the times of attempts refer to. */
export const readClock = (trx: Transaction) =>
  onlyValueOf<string>(trx)`select clock_timestamp()::text as now`;

/**
 * Waiting changes that were not tried since `triedBefore`. Changes that failed before come last, so that a record that
 * the backend rejects does not delay others; otherwise, referenced records come first.
 */
export const listWaiting = (
  trx: Transaction,
  organizationId: string,
  { triedBefore, limit }: { triedBefore: string; limit: number },
) => rowsOf<Change>(trx)`
  select collection, id, version, with_children
  from content_outbox
  where organization_id = ${organizationId} and state = 'waiting' and (tried_at is null or tried_at < ${triedBefore}::timestamptz)
  order by attempts, array_position(array['reachout_clients', 'reachout_brands', 'reachout_campaigns', 'reachout_touchpoints'], collection),
    changed_at, id
  limit ${limit}
`;

/** Deletes a change after its copy was written; does nothing if the record has changed since it was read. */
export async function deleteChange(
  trx: Transaction,
  organizationId: string,
  { collection, id, version }: Change,
): Promise<void> {
  await trx
    .deleteFrom('content_outbox')
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .where('id', '=', id)
    .where('version', '=', version)
    .execute();
}

/**
 * @param maxAttempts  the last one marks the change as failed; undefined if the backend is the cause, not the record
 */
export const storeFailure = (
  trx: Transaction,
  organizationId: string,
  { collection, id, version }: Change,
  { errorContent, maxAttempts }: { errorContent: string; maxAttempts: number | undefined },
) => execute(trx)`
  update content_outbox
  set attempts = least(attempts + 1, 1000), error_content = ${errorContent}, tried_at = now(),
    state = case when version = ${version} and attempts + 1 >= ${maxAttempts ?? null}::integer then 'failed' else state end
  where organization_id = ${organizationId} and collection = ${collection} and id = ${id}
`;

/** Stores an error of the backend on all waiting changes. */
export const storeErrorOfAll = (trx: Transaction, organizationId: string, errorContent: string) => execute(
  trx,
)`
  update content_outbox set error_content = ${errorContent}
  where organization_id = ${organizationId} and state = 'waiting' and id in (${settledRows(organizationId)})
`;

export const failAll = (trx: Transaction, organizationId: string) => execute(trx)`
  update content_outbox set state = 'failed'
  where organization_id = ${organizationId} and state = 'waiting' and id in (${settledRows(organizationId)})
`;

/** Locks until the transaction ends. @returns false while another transaction holds the lock */
export const tryLockEnqueueing = (trx: Transaction, organizationId: string) => onlyValueOf<boolean>(trx)`
  select pg_try_advisory_xact_lock(hashtextextended(${`mirroring of ${organizationId}`}, 0)) as is_locked
`;

/** Organizations with changes that no job will write. */
export const listForgotten = (db: Database, limit: number) => valuesOf<string>(db)`
  select organization_id from organizations_with_unwritten_copies(${limit}) as organization_id
`;
