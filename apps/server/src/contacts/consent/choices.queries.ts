import { sql, type RawBuilder } from 'kysely';
import type { ChoiceSource } from '@reachout/contract/statuses.ts';
import type { Row, Transaction } from '../../platform/database/database.ts';

/** Whose choice is stored, and how it came in. */
export interface ChoiceKey {
  organizationId: string;
  brandId: string;
  addressKey: string;
  source: ChoiceSource;
  /** The message whose link was used. */
  sendId?: string;
  seq?: number;
  /** The member who entered it. */
  createdBy?: string;
  /** Default: now. */
  at?: Date;
}

const valuesOf = (key: ChoiceKey): RawBuilder<unknown> =>
  sql`${key.organizationId}::uuid, ${key.brandId}::uuid, ${key.addressKey}, ${key.source}, ${key.sendId ?? null}::uuid,
    ${key.seq ?? null}::int, ${key.createdBy ?? null}::uuid, coalesce(${key.at ?? null}::timestamptz, now())`;

const columns = sql`organization_id, brand_id, address_key, source, send_id, seq, created_by, changed_at`;

const replace = sql`source = excluded.source, send_id = excluded.send_id, seq = excluded.seq, created_by = excluded.created_by,
  changed_at = excluded.changed_at`;

/** Stores choices about topics; those that are not of the brand are ignored. An equal choice keeps its time. */
export async function storeTopicChoices(
  trx: Transaction,
  key: ChoiceKey & {
    /** What a member's choice is based on. */
    basis?: string | null;
  },
  choices: readonly { topicId: string; isSubscribed: boolean }[],
): Promise<void> {
  await sql`
    insert into topic_choices (${columns}, topic_id, is_subscribed, basis)
    select ${valuesOf(key)}, t.id, c."isSubscribed", ${key.basis ?? null}
    from json_to_recordset(${JSON.stringify(choices)}::json) as c("topicId" uuid, "isSubscribed" boolean)
    join offered_topics t on t.organization_id = ${key.organizationId} and t.brand_id = ${key.brandId} and t.id = c."topicId"
    order by t.id
    on conflict (organization_id, address_key, topic_id) do update set is_subscribed = excluded.is_subscribed, basis = excluded.basis,
      ${replace}
    where topic_choices.is_subscribed <> excluded.is_subscribed
  `.execute(trx);
}

/** @returns those of the topics about which an address has chosen nothing */
export async function withoutChoices(
  trx: Transaction,
  { organizationId, addressKey }: Pick<ChoiceKey, 'organizationId' | 'addressKey'>,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ topic_id: string }>`
    select topic_id from topic_choices
    where organization_id = ${organizationId} and address_key = ${addressKey} and topic_id = any(${[...ids]}::uuid[])
  `.execute(trx);
  return ids.filter((id) => !rows.some(({ topic_id }) => topic_id === id));
}

/** @param until  null ends the pause */
export async function storePause(trx: Transaction, key: ChoiceKey, until: Date | null): Promise<void> {
  if (until === null) {
    await sql`
      delete from pauses
      where organization_id = ${key.organizationId} and brand_id = ${key.brandId} and address_key = ${key.addressKey}
    `.execute(trx);
    return;
  }
  await sql`
    insert into pauses (${columns}, until) values (${valuesOf(key)}, ${until})
    on conflict (organization_id, address_key, brand_id) do update set until = excluded.until, ${replace}
    where pauses.until <> excluded.until
  `.execute(trx);
}

export async function storeTrackingChoice(
  trx: Transaction,
  key: ChoiceKey,
  isAllowed: boolean,
): Promise<void> {
  await sql`
    insert into tracking_choices (${columns}, is_allowed) values (${valuesOf(key)}, ${isAllowed})
    on conflict (organization_id, address_key, brand_id) do update set is_allowed = excluded.is_allowed, ${replace}
    where tracking_choices.is_allowed <> excluded.is_allowed
  `.execute(trx);
}

/** Makes the choices about topics undone that the link of this message stored. */
export async function deleteTopicChoices(
  trx: Transaction,
  key: ChoiceKey,
  topicIds: readonly string[],
): Promise<void> {
  await sql`
    delete from topic_choices where ${isByMessage(key)} and topic_id = any(${topicIds}::uuid[])
  `.execute(trx);
}

/** Makes the choice about measuring undone that the link of this message stored. */
export async function deleteTrackingChoice(trx: Transaction, key: ChoiceKey): Promise<void> {
  await sql`delete from tracking_choices where ${isByMessage(key)}`.execute(trx);
}

const isByMessage = (
  key: ChoiceKey,
) => sql`organization_id = ${key.organizationId} and brand_id = ${key.brandId}
  and address_key = ${key.addressKey} and send_id = ${key.sendId} and seq = ${key.seq}`;

export type NamedTopic = Row<'offered_topics', 'id' | 'name' | 'description'>;

/** @returns those of the topics that the brand has, in the order of the ids */
export async function findTopicsOf(
  trx: Transaction,
  { organizationId, brandId }: Pick<ChoiceKey, 'organizationId' | 'brandId'>,
  ids: readonly string[],
): Promise<NamedTopic[]> {
  const rows = await trx
    .selectFrom('offered_topics')
    .select(['id', 'name', 'description'])
    .where('organization_id', '=', organizationId)
    .where('brand_id', '=', brandId)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
  return ids.flatMap((id) => rows.find((topic) => topic.id === id) ?? []);
}
