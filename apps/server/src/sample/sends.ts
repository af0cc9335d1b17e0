import type { ExclusionReason } from '@reachout/contract/statuses.ts';
import { sql } from 'kysely';
import type { Database, Row } from '../platform/database/database.ts';
import { hashAndSeq, insertContactDeliveries } from '../queue/contact-deliveries-sql.ts';
import type { DeliveryResult } from '../queue/delivery.ts';
import { buildSend } from './records.ts';
import { insertRows, type Given } from './rows.ts';

type SampleRecipient = Row<'deliveries', 'contact_id' | 'address' | 'variables'> & { tracked?: boolean };

/** With a time of acceptance, the message was returned later, at the time of the result. */
export type SampleResult = DeliveryResult & { acceptedAt?: string };

export interface SampleSend extends Given<'touchpoint_sends'> {
  content: Pick<Row<'touchpoint_send_contents'>, 'content'> & Given<'touchpoint_send_contents'>;
  /** In the order of `seq`. */
  recipients: readonly SampleRecipient[];
  exclusions?: readonly { contact_id: string; address: string; reason: ExclusionReason }[];
  /** Of the first recipients; the others form a chunk that no worker has leased. */
  results: readonly SampleResult[];
}

/**
 * Stores a send with all rows that workers would have stored, so that its counters and totals equal its rows. An open send
 * continues with the recipients that have no result. The caller sets the status of its touchpoint.
 */
export async function buildPlayedSend(
  db: Database,
  { content, recipients, exclusions = [], results, ...given }: SampleSend,
): Promise<Row<'touchpoint_sends'>> {
  const rows = results.flatMap(toResultRow);
  const waiting = results.flatMap(toQueuedRow);
  const accepted = rows.filter((row) => row.accepted_at !== null);
  const countOf = (state: string) => rows.filter((row) => row.state === state).length;
  const send = await buildSend(db, {
    recipients_total_count: recipients.length,
    recipients_accepted_count: accepted.length,
    recipients_total_sent_count: countOf('sent'),
    recipients_total_delivery_failed_count: countOf('bounced'),
    recipients_total_failed_count: countOf('failed'),
    recipients_suppressed_count: countOf('suppressed'),
    recipients_uncertain_count: waiting.filter(({ kind }) => kind === 'uncertain').length,
    recipients_not_measured_count: rows.filter(isNotMeasured).length,
    ...given,
  });
  const of = { organization_id: send.organization_id, send_id: send.id };
  await insertRows(db, 'touchpoint_send_contents', { ...content, ...of });
  await insertRows(
    db,
    'deliveries',
    recipients.map(({ variables, ...recipient }, index) => ({
      ...of,
      seq: index + 1,
      ...recipient,
      variables: JSON.stringify(variables),
    })),
  );
  await indexContacts(db, send.organization_id, send.id);
  await insertRows(
    db,
    'delivery_exclusions',
    exclusions.map((exclusion, index) => ({ ...of, seq: index + 1, ...exclusion })),
  );
  const chunks = [
    {
      ...of,
      first_seq: 1,
      last_seq: results.length,
      marked_up_to: results.length,
      done: true,
      counted: true,
    },
    { ...of, first_seq: results.length + 1, last_seq: recipients.length, marked_up_to: results.length },
  ];
  await insertRows(
    db,
    'delivery_chunks',
    chunks.filter(({ first_seq, last_seq }) => first_seq <= last_seq),
  );
  await insertRows(
    db,
    'delivery_results',
    rows.map((row) => ({ ...of, ...row })),
  );
  await insertRows(
    db,
    'delivery_queue',
    waiting.map((row) => ({ ...of, ...row })),
  );
  await insertRows(
    db,
    'delivery_result_totals',
    sumResults(rows).map((total) => ({ ...of, touchpoint_id: send.touchpoint_id, ...total })),
  );
  return send;
}

type ResultRow = ReturnType<typeof toResultRow>[number];

const toResultRow = (given: SampleResult) => {
  const { seq, tries, reply, error, at, stage, tracked = true, result } = given;
  if (result.kind !== 'final') return [];
  const { state } = result;
  return [
    {
      seq,
      state,
      attempts: tries.attempts,
      reply,
      error: error === undefined ? null : JSON.stringify(error),
      at,
      accepted_at: given.acceptedAt ?? (state === 'sent' ? at : null),
      stage: stage ?? null,
      class: given.class ?? null,
      tracked,
    },
  ];
};

const toQueuedRow = ({ seq, tries, reply, error, result }: DeliveryResult) =>
  result.kind === 'final'
    ? []
    : [
        {
          seq,
          kind: result.kind,
          ...tries,
          due_at: result.dueAt,
          reply,
          error: error === undefined ? null : JSON.stringify(error),
        },
      ];

const isNotMeasured = ({ state, tracked }: { state: string; tracked: boolean }): boolean =>
  state === 'sent' && !tracked;

const quarterMs = 900_000;

/** @returns the totals by quarter of an hour, state and class, and of what was accepted */
function sumResults(rows: readonly ResultRow[]) {
  const counted = rows.flatMap((row) =>
    row.accepted_at === null
      ? [row]
      : [row, { ...row, state: 'accepted' as const, at: row.accepted_at, class: null }],
  );
  const startOf = ({ at }: Pick<ResultRow, 'at'>) =>
    new Date(Math.floor(Date.parse(at) / quarterMs) * quarterMs).toISOString();
  return [...Map.groupBy(counted, (row) => [startOf(row), row.state, row.class].join(' ')).values()].map(
    (group) => ({
      at: startOf(group[0]!),
      state: group[0]!.state,
      class: group[0]!.class ?? '',
      count: group.length,
      not_measured: group.filter(isNotMeasured).length,
    }),
  );
}

/** Makes the index from contacts to the deliveries of a send anew. */
export async function indexContacts(db: Database, organizationId: string, sendId: string): Promise<void> {
  const source = sql`(
    select ${hashAndSeq} from deliveries where organization_id = ${organizationId} and send_id = ${sendId}
  ) delivery`;
  await sql`delete from contact_deliveries where organization_id = ${organizationId} and send_id = ${sendId}`.execute(
    db,
  );
  const insert = insertContactDeliveries(organizationId, sendId, {
    source,
    count: sql`(select count(*) from ${source})`,
  });
  await sql`${insert}`.execute(db);
}

/** Makes the sends of an email, which an operation has just started, as old as its email. */
export const ageSends = (db: Database, touchpointId: string, at: Date) =>
  db
    .updateTable('touchpoint_sends')
    .set({ created_at: at.toISOString(), send_date: at.toISOString() })
    .where('touchpoint_id', '=', touchpointId)
    .execute();
