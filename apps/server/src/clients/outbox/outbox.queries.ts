import { sql } from 'kysely';
import type { MirroredCollection } from '@reachout/contract/rules/mirrored-collections.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
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
export async function insertEverything(trx: Transaction, organizationId: string): Promise<void> {
  await sql`
    insert into content_outbox as o (organization_id, collection, id, with_children)
    select organization_id, 'reachout_clients', id, true
    from clients where organization_id = ${organizationId} and not deleted
    union all
    select organization_id, collection, id::uuid, false
    from content_items where organization_id = ${organizationId} and collection = 'reachout_templates'
    order by 2, 3
    on conflict (organization_id, collection, id) do update
    set version = o.version + 1, with_children = o.with_children or excluded.with_children, changed_at = now()
  `.execute(trx);
}

export async function retryAll(trx: Transaction, organizationId: string): Promise<void> {
  await sql`
    update content_outbox set state = 'waiting', attempts = 0, tried_at = null
    where organization_id = ${organizationId} and id in (${settledRows(organizationId)})
  `.execute(trx);
}

/**
 * Skips rows that other transactions are changing: these lock records in different orders, and must not wait for each
 * other.
 */
const settledRows = (organizationId: string) => sql`
  select id from content_outbox where organization_id = ${organizationId} for no key update skip locked`;

/** The database clock, which the times of attempts refer to. */
export async function readClock(trx: Transaction): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(trx);
  return rows[0]!.now;
}

/**
 * Waiting changes that were not tried since `triedBefore`. Changes that failed before come last, so that a record that
 * the backend rejects does not delay others; otherwise, referenced records come first.
 */
export async function listWaiting(
  trx: Transaction,
  organizationId: string,
  { triedBefore, limit }: { triedBefore: string; limit: number },
): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select collection, id, version, with_children
    from content_outbox
    where organization_id = ${organizationId} and state = 'waiting' and (tried_at is null or tried_at < ${triedBefore}::timestamptz)
    order by attempts, array_position(array['reachout_clients', 'reachout_brands', 'reachout_campaigns', 'reachout_touchpoints'], collection),
      changed_at, id
    limit ${limit}
  `.execute(trx);
  return rows;
}

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
export async function storeFailure(
  trx: Transaction,
  organizationId: string,
  { collection, id, version }: Change,
  { errorContent, maxAttempts }: { errorContent: string; maxAttempts: number | undefined },
): Promise<void> {
  await sql`
    update content_outbox
    set attempts = least(attempts + 1, 1000), error_content = ${errorContent}, tried_at = now(),
      state = case when version = ${version} and attempts + 1 >= ${maxAttempts ?? null}::integer then 'failed' else state end
    where organization_id = ${organizationId} and collection = ${collection} and id = ${id}
  `.execute(trx);
}

/** Stores an error of the backend on all waiting changes. */
export async function storeErrorOfAll(
  trx: Transaction,
  organizationId: string,
  errorContent: string,
): Promise<void> {
  await sql`
    update content_outbox set error_content = ${errorContent}
    where organization_id = ${organizationId} and state = 'waiting' and id in (${settledRows(organizationId)})
  `.execute(trx);
}

export async function failAll(trx: Transaction, organizationId: string): Promise<void> {
  await sql`
    update content_outbox set state = 'failed'
    where organization_id = ${organizationId} and state = 'waiting' and id in (${settledRows(organizationId)})
  `.execute(trx);
}

/** Locks until the transaction ends. @returns false while another transaction holds the lock */
export async function tryLockEnqueueing(trx: Transaction, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`mirroring of ${organizationId}`}, 0)) as is_locked
  `.execute(trx);
  return rows[0]!.is_locked;
}

/** Organizations with changes that no job will write. */
export async function listForgotten(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from organizations_with_unwritten_copies(${limit}) as organization_id
  `.execute(db);
  return rows.map(({ organization_id }) => organization_id);
}
