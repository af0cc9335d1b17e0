import { sql } from 'kysely';
import { onlyRowOf, type Row, type Transaction } from '../../platform/database/database.ts';
import { countRows } from '../../platform/database/list-page.ts';

/** A row of `audience_readings`. */
export type ReadingRow = Row<'audience_readings'>;

type NewReading = Pick<
  ReadingRow,
  'id' | 'organization_id' | 'send_id' | 'endpoint' | 'collection' | 'fields' | 'rule_hash'
> & { rule: unknown };

export interface ReadingKey {
  organizationId: string;
  readingId: string;
}

/** @returns false if the send already has a reading */
export async function insertReading(trx: Transaction, row: NewReading): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('audience_readings')
    .values({ ...row, rule: JSON.stringify(row.rule) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

const selectReading = (trx: Transaction, { organizationId, readingId }: ReadingKey) =>
  trx
    .selectFrom('audience_readings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', readingId);

export const findReadingRow = (trx: Transaction, key: ReadingKey): Promise<ReadingRow | undefined> =>
  selectReading(trx, key).executeTakeFirst();

export const lockReading = (trx: Transaction, key: ReadingKey): Promise<ReadingRow | undefined> =>
  selectReading(trx, key).forUpdate().executeTakeFirst();

export const lockReadingOfSend = (trx: Transaction, organizationId: string, sendId: string) =>
  trx
    .selectFrom('audience_readings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('send_id', '=', sendId)
    .forUpdate()
    .executeTakeFirst();

/** Lists the readings for a rule's numbers, newest first; omits those whose contacts are deleted. */
export const listReadings = (trx: Transaction, organizationId: string, ruleHash: string) =>
  trx
    .selectFrom('audience_readings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('rule_hash', '=', ruleHash)
    .where('send_id', 'is', null)
    .where('state', '<>', 'over')
    .orderBy('began_at', 'desc')
    .limit(10)
    .execute();

/** Counts the readings that provide audience numbers. */
export const countReadings = (trx: Transaction, organizationId: string): Promise<number> =>
  countRows(
    trx
      .selectFrom('audience_readings')
      .where('organization_id', '=', organizationId)
      .where('send_id', 'is', null),
  );

export async function updateReading(
  trx: Transaction,
  { organizationId, readingId }: ReadingKey,
  changes: Partial<Omit<ReadingRow, keyof NewReading | 'began_at' | 'ended_at'>>,
): Promise<void> {
  await trx
    .updateTable('audience_readings')
    .set({
      ...changes,
      ...(changes.state === undefined ? {} : { ended_at: sql<string>`coalesce(ended_at, now())` }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', readingId)
    .execute();
}

/** @returns those of the contacts that this pass has already seen */
export async function listSeen(
  trx: Transaction,
  { organizationId, readingId }: ReadingKey,
  pass: number,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('audience_reading_contacts')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('reading_id', '=', readingId)
    .where('pass', '=', pass)
    .where('id', 'in', ids.length === 0 ? [''] : [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export interface WrittenPage {
  /** Contacts that this pass had not seen before. */
  seen: number;
  /** Contacts that no pass had seen before. */
  added: number;
  bytes: number;
}

/** Stores each contact once, however often it is read. @param contacts  with distinct ids */
export const insertContacts = (
  trx: Transaction,
  { organizationId, readingId }: ReadingKey,
  pass: number,
  contacts: readonly { id: string; data: object }[],
) => onlyRowOf<WrittenPage>(trx)`
  with written as (
    insert into audience_reading_contacts as c (organization_id, reading_id, id, pass, data)
    select ${organizationId}::uuid, ${readingId}::uuid, page.id, ${pass}::int, page.data
    from jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb) as page(id text, data jsonb)
    on conflict (organization_id, reading_id, id) do update set pass = excluded.pass, data = excluded.data
      where c.pass < excluded.pass
    returning xmax = 0 as is_new, pg_column_size(data) as bytes
  )
  select count(*)::int as seen, count(*) filter (where is_new)::int as added, coalesce(sum(bytes), 0)::bigint as bytes
  from written
`;

/**
 * Deletes by ctid: without statistics, a join by keys took more than 5 s for 10,000 contacts.
 * @returns the number of deleted contacts
 */
export async function deleteContacts(
  trx: Transaction,
  { organizationId, readingId }: ReadingKey,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from audience_reading_contacts
    where ctid = any (array(
      select ctid from audience_reading_contacts
      where organization_id = ${organizationId} and reading_id = ${readingId}
      limit ${limit}
    ))
  `.execute(trx);
  return Number(numAffectedRows);
}

export async function deleteReading(
  trx: Transaction,
  { organizationId, readingId }: ReadingKey,
): Promise<void> {
  await trx
    .deleteFrom('audience_readings')
    .where('organization_id', '=', organizationId)
    .where('id', '=', readingId)
    .execute();
}
