import { sql } from 'kysely';
import type { DataRequestState } from '@reachout/contract/states/data-request.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { DataRequestKey, DataRequestRow } from './data-request.ts';

const columns = [
  'organization_id',
  'id',
  'kind',
  'brand_id',
  'address_key',
  'language',
  'state',
  'requested_at',
  'confirmed_at',
  'ended_at',
  'failure',
  'error_content',
] as const;

export async function insertRequest(
  trx: Transaction,
  row: Pick<DataRequestRow, 'organization_id' | 'id' | 'kind' | 'brand_id' | 'address_key' | 'language'> & {
    send_id: string;
    seq: number;
  },
): Promise<void> {
  await trx.insertInto('data_requests').values(row).execute();
}

const selectRequest = (trx: Transaction, { organizationId, id }: DataRequestKey) =>
  trx
    .selectFrom('data_requests')
    .select(columns)
    .select(sql<boolean>`copy is not null`.as('has_copy'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .$castTo<DataRequestRow>();

export const findRequest = (trx: Transaction, key: DataRequestKey): Promise<DataRequestRow | undefined> =>
  selectRequest(trx, key).executeTakeFirst();

/** Locks the request until the transaction ends. */
export const lockRequest = (trx: Transaction, key: DataRequestKey): Promise<DataRequestRow | undefined> =>
  selectRequest(trx, key).forUpdate().executeTakeFirst();

export interface ListedRequest extends DataRequestRow {
  brand_name: string | null;
}

export async function listRequests(
  trx: Transaction,
  organizationId: string,
  { id, limit, offset }: { id?: string; limit: number; offset: number },
): Promise<{ items: ListedRequest[]; count: number; waiting_count: number }> {
  const isConfirmed = sql<boolean>`r.organization_id = ${organizationId} and r.state <> 'unconfirmed'
    and r.id = coalesce(${id ?? null}::uuid, r.id)`;
  const { rows: items } = await sql<ListedRequest>`
    select r.organization_id, r.id, r.kind, r.brand_id, r.address_key, r.language, r.state, r.requested_at, r.confirmed_at,
      r.ended_at, r.failure, r.error_content, r.copy is not null as has_copy, b.name as brand_name
    from data_requests r
    left join current_brands b on b.organization_id = r.organization_id and b.id = r.brand_id
    where ${isConfirmed}
    order by r.requested_at desc, r.id desc
    limit ${limit} offset ${offset}
  `.execute(trx);
  const { rows } = await sql<{ count: number; waiting_count: number }>`
    select count(*) as count, count(*) filter (where state in ('waiting', 'failed')) as waiting_count
    from data_requests r where ${isConfirmed}
  `.execute(trx);
  return { items, ...rows[0]! };
}

export interface RequestChanges {
  state: DataRequestState;
  failure?: string | null;
  error_content?: string | null;
  /** The address is not needed any more. */
  erasesAddress?: boolean;
  copy?: Buffer;
}

/** Changes the state of a request. `confirmed_at` and `ended_at` follow from it. */
export async function updateRequest(
  trx: Transaction,
  { organizationId, id }: DataRequestKey,
  { state, failure = null, error_content = null, erasesAddress = false, copy }: RequestChanges,
): Promise<void> {
  await trx
    .updateTable('data_requests')
    .set({
      state,
      failure,
      error_content,
      confirmed_at: sql<string>`coalesce(confirmed_at, now())`,
      ...(state === 'done' && { ended_at: sql<string>`now()` }),
      ...(erasesAddress && { address_key: null }),
      ...(copy !== undefined && { copy }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export async function readCopy(
  trx: Transaction,
  { organizationId, id }: DataRequestKey,
): Promise<Buffer | undefined> {
  const row = await trx
    .selectFrom('data_requests')
    .select('copy')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.copy ?? undefined;
}

/** Removes copies that an erased person has asked for, and the address from their requests that have ended. */
export async function eraseCopies(
  trx: Transaction,
  organizationId: string,
  addressKey: string,
): Promise<void> {
  await sql`
    delete from data_requests
    where organization_id = ${organizationId} and address_key = ${addressKey} and state = 'unconfirmed'
  `.execute(trx);
  await sql`
    update data_requests set copy = null, address_key = null,
      state = 'done', ended_at = coalesce(ended_at, now()), failure = null, error_content = null
    where organization_id = ${organizationId} and address_key = ${addressKey} and kind = 'copy'
  `.execute(trx);
}

/** Deletes requests that nobody confirmed, and removes copies and addresses of those that ended, a week later. */
export async function expireRequests(trx: Transaction, organizationId: string): Promise<void> {
  await sql`
    delete from data_requests
    where organization_id = ${organizationId} and state = 'unconfirmed' and requested_at < now() - interval '7 days'
  `.execute(trx);
  await sql`
    update data_requests set copy = null, address_key = null
    where organization_id = ${organizationId} and state = 'done' and address_key is not null
      and ended_at < now() - interval '7 days'
  `.execute(trx);
}

/** @returns ids of organizations with requests whose time is over */
export async function listOrganizationsWithOldRequests(trx: Transaction, limit: number): Promise<string[]> {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from organizations_with_old_data_requests(${limit})
  `.execute(trx);
  return rows.map(({ organization_id }) => organization_id);
}
