import type { Recipient, RecipientFilters } from '@reachout/contract/sends.ts';
import { fileExport, type ReadPage } from '../../identity/access/file-exports.ts';
import { toCsv, type CsvColumns } from '../../platform/csv-text.ts';
import { forbidden } from '../../platform/http/api-error.ts';
import { listRecipientTimes, type RecipientTimes } from './recipient-export.queries.ts';
import { countExcluded, seqsBetween } from './recipient-list.ts';
import { findReacted, notSentStates, readDeliveries, readExclusions } from './recipient-list.queries.ts';
import { toSend, type CountedSend } from './send.ts';
import { getSend } from './send-list.queries.ts';

const pageRows = 1_000;

type Row = Recipient & { times?: RecipientTimes | undefined };

const columns: CsvColumns<Row> = {
  email: (row) => row.address,
  contact_id: (row) => row.contact_id,
  state: (row) => row.state,
  exclusion_reason: (row) => row.exclusion_reason,
  attempts: (row) => row.attempts,
  accepted_at: (row) => row.times?.accepted_at,
  is_measured: (row) => row.times?.is_measured,
  first_opened_at: (row) => row.times?.first_opened_at,
  first_clicked_at: (row) => row.times?.first_clicked_at,
  unsubscribed_at: (row) => row.times?.unsubscribed_at,
  complained_at: (row) => row.times?.complained_at,
  details: (row) => row.error_content ?? row.reply,
};

export const recipientExport = fileExport(
  'sends.exportDeliveries',
  async ({ id, ...filter }, { who, transaction, readPage }) => {
    // Recipients may be contacts that all clients share, or people known only from this message.
    const sharedContent = who.accessScope?.content_organization_ids ?? [who.organizationId];
    if (!sharedContent.includes(who.organizationId)) throw forbidden('read', 'Content');
    const send = toSend(await transaction((trx) => getSend(trx, id)));
    return {
      name: 'recipients.csv',
      pieces: toCsv(columns, readRecipients(readPage, send, filter)),
      note: {
        record_type: 'touchpoints',
        record_id: send.touchpoint.id,
        record_name: send.touchpoint.name,
        details: { filters: Object.keys(filter), brand: send.brand.name, send_id: id },
      },
    };
  },
);

/** Yields the recipients of a send by number, then the excluded contacts. Opens and clicks by bots are left out. */
async function* readRecipients(
  readPage: ReadPage,
  send: CountedSend,
  filter: RecipientFilters,
): AsyncGenerator<Row[]> {
  const isShown = (row: Recipient) => hasState(row, filter.state) && isFound(row, filter.search);
  if (filter.state !== 'excluded') {
    for (const seqs of pagesOf(send.recipients_total_count)) {
      yield await readPage(async (trx) => {
        const times = await listRecipientTimes(trx, send.id, seqs);
        const bySeq = new Map(times.map((row) => [row.seq, row]));
        const reacted = await findReacted(trx, send.id, filter, seqs);
        const recipients = await readDeliveries(trx, send.id, seqs);
        return recipients
          .filter((row) => isShown(row) && (reacted === undefined || reacted.has(row.seq ?? 0)))
          .map((row) => ({ ...row, times: bySeq.get(row.seq ?? 0) }));
      });
    }
  }
  if (filter.state !== undefined && filter.state !== 'excluded') return;
  if (filter.reaction !== undefined || filter.link !== undefined) return;
  for (const seqs of pagesOf(countExcluded(send))) {
    const rows = await readPage((trx) => readExclusions(trx, send.id, seqs));
    yield rows.filter(isShown);
  }
}

const hasState = ({ state }: Recipient, wanted: RecipientFilters['state']): boolean =>
  wanted === undefined ||
  (wanted === 'not_sent' ? notSentStates.some((notSent) => notSent === state) : state === wanted);

/** Searches like the list: by part of the address, or by the whole id of the contact. */
const isFound = ({ address, contact_id }: Recipient, search: string | undefined): boolean =>
  search === undefined ||
  contact_id === search ||
  (address ?? '').toLowerCase().includes(search.toLowerCase());

/** The numbers from 1 to `count`, page by page. */
function* pagesOf(count: number): Generator<number[]> {
  for (let offset = 0; offset < count; offset += pageRows)
    yield seqsBetween(offset, Math.min(offset + pageRows, count));
}
