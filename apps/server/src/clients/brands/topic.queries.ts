import { sql } from 'kysely';
import { maxCountedUses } from '@reachout/contract/rules/audience-uses.ts';
import type { Topic } from '@reachout/contract/topics.ts';
import { isInScope, type FigureScope } from '../figures/figures-sql.ts';
import { notFound } from '../../platform/http/api-error.ts';
import { execute, type Transaction } from '../../platform/database/database.ts';
import { satisfies } from '../../platform/database/satisfies.ts';

const columns = [
  'id',
  'organization_id',
  'brand_id',
  'name',
  'description',
  'is_default',
  'position',
  'created_at',
  'updated_at',
] as const;

/** A topic without its counts. */
export type TopicRow = Omit<Topic, 'used_count' | 'subscribed_count' | 'declined_count'>;

const selectTopics = (trx: Transaction) =>
  trx
    .selectFrom('topics')
    .where('brand_id', 'in', (eb) => eb.selectFrom('current_brands').select('current_brands.id'))
    .select(columns);

export const listTopics = (trx: Transaction, brandId: string): Promise<TopicRow[]> =>
  selectTopics(trx).where('brand_id', '=', brandId).orderBy('position').orderBy('id').execute();

/** @throws 404, also if the brand or its client is deleted */
export const getTopic = (trx: Transaction, id: string): Promise<TopicRow> =>
  selectTopics(trx).where('id', '=', id).executeTakeFirstOrThrow(notFound);

/** @returns undefined once it is deleted */
export const findTopic = (trx: Transaction, organizationId: string, id: string) =>
  trx
    .selectFrom('topics')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Locks a topic, so that it is not deleted before what refers to it is stored. @returns undefined if it is not of the brand */
export const lockTopicForUse = (trx: Transaction, id: string, brandId: string) =>
  trx
    .selectFrom('topics')
    .select('name')
    .where('id', '=', id)
    .where('brand_id', '=', brandId)
    .forKeyShare()
    .executeTakeFirst();

/** Locks a brand, so that its topics change one after another. */
export async function lockTopicsOf(trx: Transaction, brandId: string): Promise<void> {
  await trx.selectFrom('brands').select('id').where('id', '=', brandId).forNoKeyUpdate().execute();
}

type TopicColumns = Pick<Topic, 'name' | 'description' | 'is_default'>;

/** @returns false if the name is taken */
export async function insertTopic(
  trx: Transaction,
  row: TopicColumns & Pick<Topic, 'id' | 'organization_id' | 'brand_id' | 'position'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('topics')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** @returns false if the name is taken; the transaction can then no longer be used */
export const updateTopic = (
  trx: Transaction,
  id: string,
  changes: { [K in keyof TopicColumns]?: TopicColumns[K] | undefined },
): Promise<boolean> =>
  satisfies(
    'topics_name_taken',
    trx
      .updateTable('topics')
      .set({ ...changes, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute(),
  );

/** Numbers the topics of a brand from 1. @param moved  a topic and the place that it gets */
export const numberTopics = (
  trx: Transaction,
  brandId: string,
  moved?: { id: string; position: number },
) => execute(trx)`
  update topics set position = numbered.position
  from (
    select id, row_number() over (order by place, id) as position
    from (
      select id, row_number() over (order by position, id) as place
      from topics where brand_id = ${brandId} and id is distinct from ${moved?.id ?? null}::uuid
      union all
      select id, ${moved?.position ?? 0}::int - 0.5 from topics where id = ${moved?.id ?? null}::uuid
    ) placed
  ) numbered
  where topics.brand_id = ${brandId} and topics.id = numbered.id and topics.position <> numbered.position
`;

/**
 * Deletes a topic permanently, with the choices about it.
 * @returns false while an email or an open send has it; the transaction can then no longer be used
 */
export async function deleteTopic(trx: Transaction, id: string): Promise<boolean> {
  const isFree = await satisfies(
    'touchpoint_emails_organization_id_topic_id_fkey',
    trx.deleteFrom('topics').where('id', '=', id).execute(),
  );
  if (!isFree) return false;
  // After the deletion: a send takes the topic of an email, which keeps it until the send is stored.
  const send = await trx
    .selectFrom('topic_sends')
    .select('send_id')
    .where('topic_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return send === undefined;
}

/** Counts the emails with each topic, up to `maxCountedUses`. */
export async function countTopicUses(
  trx: Transaction,
  ids: readonly string[],
  scope: FigureScope,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select topic.id, (
      select count(*)::int
      from (select from topic_emails t where t.topic_id = topic.id and ${isInScope(scope)} limit ${maxCountedUses}) email
    ) as count
    from unnest(${[...ids]}::uuid[]) topic (id)
  `.execute(trx);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Counts the addresses that chose each topic, and those that declined it. */
export async function countTopicChoices(
  trx: Transaction,
  ids: readonly string[],
): Promise<Map<string, { subscribed: number; declined: number }>> {
  const { rows } = await sql<{ id: string; subscribed: number; declined: number }>`
    select topic_id as id, count(*) filter (where value = 'subscribed')::int as subscribed,
      count(*) filter (where value = 'not_subscribed')::int as declined
    from consent_records
    where organization_id = current_organization_id() and topic_id = any(${[...ids]}::uuid[])
    group by topic_id
  `.execute(trx);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
