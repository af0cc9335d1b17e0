import { sql, type RawBuilder } from 'kysely';
import { notFound } from '../../platform/http/api-error.ts';
import { onlyValueOf, rowsOf, type Transaction } from '../../platform/database/database.ts';
import { isRestorable } from '../../platform/database/restorable.ts';

/** Owner of addresses, contacts and links. */
export type RecordOwner =
  | { kind: 'user'; user_id: string }
  | { kind: 'organization'; organization_id: string }
  | { kind: 'client'; organization_id: string; client_id: string };

/**
 * All contact-details tables. Deleted addresses and contacts are hidden and can be restored; links are deleted
 * permanently.
 */
const recordTables = {
  address: { user: 'user_addresses', organization: 'organization_addresses', client: 'client_addresses' },
  contact: { organization: 'organization_contacts', client: 'client_contacts' },
  social: { user: 'user_socials', client: 'client_socials' },
} as const;

export type RecordKind = keyof typeof recordTables;
export type RestorableKind = Exclude<RecordKind, 'social'>;

export type OwnerOf<K extends RecordKind> = Extract<RecordOwner, { kind: keyof (typeof recordTables)[K] }>;

/** The columns that users fill in. */
const recordColumns = {
  address: ['line1', 'line2', 'postal_code', 'city', 'region', 'country_id'],
  contact: ['contact_type_id', 'full_name', 'email', 'phone'],
  social: ['network', 'url'],
} as const satisfies Record<RecordKind, readonly string[]>;

// One set of statements for all contact-details tables, which differ in the columns that users fill in, in the owner of
// the rows, and in the list with the names of countries or types.

type Values = Record<string, unknown>;

/** Oldest first. */
export const listRecords = <T>(trx: Transaction, kind: RecordKind, owner: RecordOwner) => rowsOf<T>(trx)`
  ${selectRecords(kind, owner)} where ${isVisible(kind, owner)} order by r.created_at, r.id
`;

/** Locks the owner of the records until the transaction ends, so that concurrent inserts are counted. */
export async function lockOwner(trx: Transaction, owner: RecordOwner): Promise<void> {
  const { table, id } = ownerRowOf(owner);
  await sql`select from ${sql.table(table)} where id = ${id} for no key update`.execute(trx);
}

export const countRecords = (trx: Transaction, kind: RecordKind, owner: RecordOwner) => onlyValueOf<number>(
  trx,
)`
  select count(*) as count from ${tableOf(kind, owner)} r where ${isVisible(kind, owner)}
`;

/** @throws 404, also if the record is deleted or another owner's */
export async function getRecord<T>(
  trx: Transaction,
  kind: RecordKind,
  owner: RecordOwner,
  id: string,
): Promise<T> {
  const { rows } = await sql<T>`
    ${selectRecords(kind, owner)} where ${isVisible(kind, owner)} and r.id = ${id}
  `.execute(trx);
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}

export async function insertRecord(
  trx: Transaction,
  kind: RecordKind,
  owner: RecordOwner,
  row: Values & { id: string },
): Promise<void> {
  const { kind: _, ...ownerColumns } = owner;
  const entries = Object.entries({ ...ownerColumns, ...row });
  await sql`
    insert into ${tableOf(kind, owner)} (${sql.join(entries.map(([column]) => sql.ref(column)))})
    values (${sql.join(entries.map(([, value]) => value))})
  `.execute(trx);
}

/** @throws 404 */
export async function updateRecord(
  trx: Transaction,
  kind: RecordKind,
  owner: RecordOwner,
  id: string,
  changes: Values,
): Promise<void> {
  const given = recordColumns[kind].filter((column) => changes[column] !== undefined);
  const set = given.map((column) => sql`${sql.ref(column)} = ${changes[column]}`);
  const { numAffectedRows } = await sql`
    update ${tableOf(kind, owner)} r set ${sql.join([...set, sql`updated_at = now()`])}
    where ${isVisible(kind, owner)} and r.id = ${id}
  `.execute(trx);
  if (numAffectedRows === 0n) throw notFound();
}

/** Hides a record. @throws 404 */
export async function softDeleteRecord(
  trx: Transaction,
  kind: RestorableKind,
  owner: RecordOwner,
  id: string,
): Promise<void> {
  const { numAffectedRows } = await sql`
    update ${tableOf(kind, owner)} r set deleted = true, deleted_at = now(), updated_at = now()
    where ${isVisible(kind, owner)} and r.id = ${id}
  `.execute(trx);
  if (numAffectedRows === 0n) throw notFound();
}

/**
 * Undoes `softDeleteRecord` while the record is restorable; does nothing if it is not deleted or does not exist.
 * @returns whether it was restored
 */
export async function restoreRecord(
  trx: Transaction,
  kind: RestorableKind,
  owner: RecordOwner,
  id: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${tableOf(kind, owner)} r set deleted = false, deleted_at = null, updated_at = now()
    where ${belongsToOwner(owner)} and r.id = ${id} and r.deleted and ${isRestorable}
  `.execute(trx);
  return numAffectedRows === 1n;
}

/** Deletes permanently. @throws 404 */
export async function deleteRecord(
  trx: Transaction,
  kind: RecordKind,
  owner: RecordOwner,
  id: string,
): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from ${tableOf(kind, owner)} r where ${belongsToOwner(owner)} and r.id = ${id}
  `.execute(trx);
  if (numAffectedRows === 0n) throw notFound();
}

function ownerRowOf(owner: RecordOwner): { table: string; id: string } {
  if (owner.kind === 'user') return { table: 'users', id: owner.user_id };
  if (owner.kind === 'organization') return { table: 'organizations', id: owner.organization_id };
  return { table: 'clients', id: owner.client_id };
}

function tableOf(kind: RecordKind, owner: RecordOwner): RawBuilder<unknown> {
  const tables: Partial<Record<RecordOwner['kind'], string>> = recordTables[kind];
  const table = tables[owner.kind];
  if (table === undefined) throw new Error(`There is no ${kind} of a ${owner.kind}.`);
  return sql.table(table);
}

function selectRecords(kind: RecordKind, owner: RecordOwner): RawBuilder<unknown> {
  const columns = ['id', ...recordColumns[kind], 'created_at', 'updated_at'];
  const fields = sql.join(columns.map((column) => sql.ref(`r.${column}`)));
  const from = sql`from ${tableOf(kind, owner)} r`;
  if (kind === 'address')
    return sql`select ${fields}, c.name as country ${from} join countries c on c.id = r.country_id`;
  if (kind === 'contact') {
    const types = sql.table(`${owner.kind}_contact_types`);
    return sql`select ${fields}, t.name as contact_type ${from} join ${types} t on t.id = r.contact_type_id`;
  }
  return sql`select ${fields} ${from}`;
}

/** Row-level security limits users and organizations to their own rows; the client must be checked here. */
function belongsToOwner(owner: RecordOwner): RawBuilder<unknown> {
  const { kind: _, ...columns } = owner;
  return sql.join(
    Object.entries(columns).map(([column, value]) => sql`${sql.ref(`r.${column}`)} = ${value}`),
    sql` and `,
  );
}

const isVisible = (kind: RecordKind, owner: RecordOwner): RawBuilder<unknown> =>
  kind === 'social' ? belongsToOwner(owner) : sql`${belongsToOwner(owner)} and not r.deleted`;
