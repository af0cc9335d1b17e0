import { sql, type RawBuilder } from 'kysely';
import type { DataRequestState } from '@reachout/contract/states/data-request.ts';
import { selectEventsOf } from '../../events/recipient-events.ts';
import {
  execute,
  onlyRowOf,
  valuesOf,
  type RowOf,
  type Transaction,
} from '../../platform/database/database.ts';
import { selectMessagesOf, type PersonDelivery } from '../../queue/recipient-data.ts';
import type { CopyAbout, CopyList, DataRequestKey } from './data-request.ts';

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

/** A row of `data_requests`, without the copy. */
export type DataRequestRow = RowOf<typeof selectRequest>;

const selectRequest = (trx: Transaction, { organizationId, id }: DataRequestKey) =>
  trx
    .selectFrom('data_requests')
    .select(columns)
    .select(sql<boolean>`copy is not null`.as('has_copy'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id);

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
  /** The rest of a copy whose records are stored. */
  copy?: CopyAbout;
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
      ...(copy !== undefined && { copy: JSON.stringify(copy) }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/**
 * Adds the rows of a query, each as the JSON of its columns.
 * @param after  how many records the list has
 */
export const insertRecords = (
  trx: Transaction,
  { organizationId, id }: DataRequestKey,
  { list, after }: { list: CopyList; after: number },
  query: RawBuilder<unknown>,
) => onlyRowOf<{ count: number; bytes: number }>(trx)`
  with added as (
    insert into data_request_records (organization_id, request_id, list, position, record)
    select ${organizationId}, ${id}, ${list}, ${after} + row_number() over (), row_to_json(r)::text
    from (${query}) r
    returning octet_length(record) as bytes
  )
  select count(*)::integer as count, coalesce(sum(bytes), 0)::float8 as bytes from added
`;

/**
 * SQL that selects messages with their events.
 * @param maxEvents  of each message
 */
export const selectWithEvents = (
  organizationId: string,
  deliveries: readonly PersonDelivery[],
  maxEvents: number,
): RawBuilder<unknown> => sql`
  select m.brand, m.email, m.subject, m.address, m.values, m.result, m.reply, m.at,
    coalesce(e.events, '[]') as events, coalesce(e.events_count, 0) as events_count
  from (${selectMessagesOf(organizationId, deliveries)}) m
  left join (${selectEventsOf(organizationId, deliveries, maxEvents)}) e on e.send_id = m.send_id and e.seq = m.seq
  order by m.send_id, m.seq`;

/** SQL that selects fields of contacts of somebody else. */
export const selectMentions = (
  mentions: readonly { collection: string; fields: object }[],
): RawBuilder<unknown> => sql`
  select r.* from json_to_recordset(${JSON.stringify(mentions)}::json) as r (collection text, fields json)`;

export async function deleteRecords(trx: Transaction, { organizationId, id }: DataRequestKey): Promise<void> {
  await trx
    .deleteFrom('data_request_records')
    .where('organization_id', '=', organizationId)
    .where('request_id', '=', id)
    .execute();
}

/** @returns the rest of a finished copy; undefined if there is none, or none any more */
export async function findCopy(
  trx: Transaction,
  { organizationId, id }: DataRequestKey,
): Promise<CopyAbout | undefined> {
  const row = await trx
    .selectFrom('data_requests')
    .select('copy')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .$castTo<{ copy: CopyAbout | null }>()
    .executeTakeFirst();
  return row?.copy ?? undefined;
}

/** At once in memory, unless a single record is larger. */
const pieceBytes = 1_000_000;
const recordsAtOnce = 1_000;

/** Lists the next records of a list, as JSON: about a megabyte of them. */
export const listRecords = (
  trx: Transaction,
  { organizationId, id }: DataRequestKey,
  { list, after }: { list: CopyList; after: number },
) => valuesOf<string>(trx)`
  select r.record
  from (
    select p.position, sum(octet_length(p.record)) over (order by p.position) - octet_length(p.record) as bytes_before
    from data_request_records p
    where p.organization_id = ${organizationId} and p.request_id = ${id} and p.list = ${list} and p.position > ${after}
      and p.position <= ${after + recordsAtOnce}
  ) p
  join data_request_records r on r.organization_id = ${organizationId} and r.request_id = ${id} and r.list = ${list}
    and r.position = p.position
  where p.bytes_before < ${pieceBytes}
  order by r.position
`;

/** Removes earlier copies of the same person. */
export const replaceCopies = (
  trx: Transaction,
  { organizationId, id }: DataRequestKey,
  addressKey: string,
) => execute(trx)`
  with replaced as (
    update data_requests set copy = null
    where organization_id = ${organizationId} and address_key = ${addressKey} and copy is not null and id <> ${id}
    returning id
  )
  delete from data_request_records r using replaced e where r.organization_id = ${organizationId} and r.request_id = e.id
`;

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
  // First, so that a copy that is being made adds no record after they are deleted.
  const { rows } = await sql<{ id: string }>`
    update data_requests set copy = null, address_key = null,
      state = 'done', ended_at = coalesce(ended_at, now()), failure = null, error_content = null
    where organization_id = ${organizationId} and address_key = ${addressKey} and kind = 'copy'
    returning id
  `.execute(trx);
  for (const { id } of rows) await deleteRecords(trx, { organizationId, id });
}

/** Deletes requests that nobody confirmed, and removes copies and addresses of those that ended, a week later. */
export async function expireRequests(trx: Transaction, organizationId: string): Promise<void> {
  await sql`
    delete from data_requests
    where organization_id = ${organizationId} and state = 'unconfirmed' and requested_at < now() - interval '7 days'
  `.execute(trx);
  await sql`
    with expired as (
      update data_requests set copy = null, address_key = null
      where organization_id = ${organizationId} and state = 'done' and address_key is not null
        and ended_at < now() - interval '7 days'
      returning id
    )
    delete from data_request_records r using expired e where r.organization_id = ${organizationId} and r.request_id = e.id
  `.execute(trx);
}

/** @returns ids of organizations with requests whose time is over */
export const listOrganizationsWithOldRequests = (trx: Transaction, limit: number) => valuesOf<string>(trx)`
  select organization_id from organizations_with_old_data_requests(${limit})
`;
