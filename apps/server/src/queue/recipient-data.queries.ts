import { sql, type RawBuilder } from 'kysely';
import { openSendStatuses } from '@reachout/contract/states/send.ts';
import { execute, rowsOf, type Row, type Transaction } from '../platform/database/database.ts';

// What the messages to one person say about them. Deliveries are found without an index: an index would cost each send more
// than the few requests of persons, which are answered by a job.

/** A person, by address in lower case and by the keys of their contacts in the built-in backend. */
export interface Person {
  addressKey: string;
  contactIds: readonly string[];
}

export type ScannedSend = Row<'touchpoint_sends', 'id' | 'recipients_total_count'>;

/** Lists sends in the order of their ids, or in the reverse one. */
export const listSendsAfter = (
  trx: Transaction,
  organizationId: string,
  after: string,
  { order, limit }: { order: 'asc' | 'desc'; limit: number },
): Promise<ScannedSend[]> =>
  trx
    .selectFrom('touchpoint_sends')
    .select(['id', 'recipients_total_count'])
    .where('organization_id', '=', organizationId)
    .where('id', order === 'asc' ? '>' : '<', after)
    .orderBy('id', order)
    .limit(limit)
    .execute();

/** `is_over`: nothing of it is sent any more. */
export type PersonDelivery = Row<'messages', 'send_id' | 'seq'> &
  Row<'touchpoint_sends', 'touchpoint_id'> &
  Row<'deliveries', 'contact_id'> & { is_over: boolean };

const isOf = (row: string, { addressKey, contactIds }: Person) =>
  sql`(lower(${sql.ref(`${row}.address`)}) = ${addressKey} or ${sql.ref(`${row}.contact_id`)} = any(${contactIds}::text[]))`;

export const listDeliveriesOf = (
  trx: Transaction,
  organizationId: string,
  sendIds: readonly string[],
  person: Person,
) => rowsOf<PersonDelivery>(trx)`
  select d.send_id, s.touchpoint_id, d.seq, d.contact_id,
    s.status <> all(${openSendStatuses}::text[]) or exists (select from delivery_results r
      where r.organization_id = d.organization_id and r.send_id = d.send_id and r.seq = d.seq) as is_over
  from deliveries d
  join touchpoint_sends s on s.organization_id = d.organization_id and s.id = d.send_id
  where d.organization_id = ${organizationId} and d.send_id = any(${sendIds}::uuid[]) and ${isOf('d', person)}
  order by d.send_id, d.seq
`;

/** Whether the recipients of a send are being selected, among them maybe a person who is to be erased. */
export async function isAnySendPrepared(trx: Transaction, organizationId: string): Promise<boolean> {
  const send = await trx
    .selectFrom('touchpoint_sends')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'preparing')
    .executeTakeFirst();
  return send !== undefined;
}

/** Removes from messages whom they were sent to, and with which values. Their results stay. */
export async function anonymizeDeliveries(
  trx: Transaction,
  organizationId: string,
  deliveries: readonly Pick<PersonDelivery, 'send_id' | 'seq'>[],
): Promise<void> {
  const given = JSON.stringify(deliveries.map(({ send_id, seq }) => ({ send_id, seq })));
  const isGiven = sql`t.organization_id = ${organizationId} and t.send_id = g.send_id and t.seq = g.seq`;
  const from = sql`from json_to_recordset(${given}::json) as g (send_id uuid, seq integer) where ${isGiven}`;
  await sql`update deliveries t set contact_id = '', address = '', variables = '{}' ${from}`.execute(trx);
  await sql`update delivery_results t set reply = null, error = null ${from}`.execute(trx);
  await sql`update delivery_queue t set reply = null, error = null ${from}`.execute(trx);
  await sql`update messages t set contact_id = '' ${from}`.execute(trx);
}

/**
 * Addresses messages of a person that are not over to the suppressed address, so that they end as suppressed, and are found by
 * it without the contact. Tests go to a member; they lose the values of the person instead.
 */
export async function suppressDeliveries(
  trx: Transaction,
  organizationId: string,
  deliveries: readonly Pick<PersonDelivery, 'send_id' | 'seq'>[],
  addressKey: string,
): Promise<void> {
  const given = JSON.stringify(deliveries.map(({ send_id, seq }) => ({ send_id, seq })));
  await sql`
    update deliveries d set
      address = case when s.kind = 'test' then d.address else ${addressKey} end,
      contact_id = case when s.kind = 'test' then d.address else d.contact_id end,
      variables = case when s.kind = 'test' then '{}' else d.variables end
    from json_to_recordset(${given}::json) as g (send_id uuid, seq integer)
    join touchpoint_sends s on s.organization_id = ${organizationId} and s.id = g.send_id
    where d.organization_id = ${organizationId} and d.send_id = g.send_id and d.seq = g.seq
      and lower(d.address) <> ${addressKey}
  `.execute(trx);
}

/** Removes from exclusions who was excluded; their reasons stay. */
export const anonymizeExclusions = (
  trx: Transaction,
  organizationId: string,
  sendIds: readonly string[],
  person: Person,
) => execute(trx)`
  update delivery_exclusions x set contact_id = '', address = null
  where x.organization_id = ${organizationId} and x.send_id = any(${sendIds}::uuid[]) and ${isOf('x', person)}
`;

/** A message to a person, for the copy of their data. */
export interface PersonMessage {
  send_id: string;
  seq: number;
  touchpoint_id: string;
  /** Null if the email is deleted, like its name. */
  brand: string | null;
  email: string | null;
  subject: string | null;
  address: string;
  values: unknown;
  result: string | null;
  reply: string | null;
  at: string | null;
}

/** SQL that selects messages, the oldest first, without tests: they went to a member, with the values of a contact. */
export function selectMessagesOf(
  organizationId: string,
  deliveries: readonly Pick<PersonDelivery, 'send_id' | 'seq'>[],
): RawBuilder<PersonMessage> {
  const given = JSON.stringify(deliveries.map(({ send_id, seq }) => ({ send_id, seq })));
  return sql`
    select d.send_id, d.seq, s.touchpoint_id, t.brand_name as brand, t.name as email, c.content ->> 'subject' as subject, d.address,
      d.variables as values, r.state as result, r.reply, coalesce(r.accepted_at, r.at) as at
    from json_to_recordset(${given}::json) as g (send_id uuid, seq integer)
    join deliveries d on d.organization_id = ${organizationId} and d.send_id = g.send_id and d.seq = g.seq
    join touchpoint_sends s on s.organization_id = d.organization_id and s.id = d.send_id and s.kind <> 'test'
    left join current_touchpoints t on t.organization_id = s.organization_id and t.id = s.touchpoint_id
    left join touchpoint_send_contents c on c.organization_id = d.organization_id and c.send_id = d.send_id
    left join delivery_results r on r.organization_id = d.organization_id and r.send_id = d.send_id and r.seq = d.seq
    order by d.send_id, d.seq`;
}
