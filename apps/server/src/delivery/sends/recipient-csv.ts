import type { Recipient } from '@reachout/contract/sends.ts';
import type { AuthorizedRequest } from '../../identity/access/authorize-request.ts';
import { createPageReader } from '../../identity/access/page-reader.ts';
import { toCsvLine } from '../../platform/csv-text.ts';
import type { Database } from '../../platform/database/database.ts';
import { listRecipientTimes, type RecipientTimes } from './recipient-export.queries.ts';
import { countExcluded, seqsBetween } from './recipient-list.ts';
import {
  findReacted,
  notSentStates,
  readDeliveries,
  readExclusions,
  type RecipientFilters,
} from './recipient-list.queries.ts';
import type { CountedSend } from './send.ts';

const pageRows = 1_000;

const columns = [
  'email',
  'contact_id',
  'state',
  'exclusion_reason',
  'attempts',
  'accepted_at',
  'is_measured',
  'first_opened_at',
  'first_clicked_at',
  'unsubscribed_at',
  'details',
] as const;

/**
 * Yields the recipients of a send by number, then the excluded contacts. Each page is read in a separate transaction, after
 * the client has consumed the previous page, so a slow client holds no connection. Opens and clicks by bots are left out.
 */
export async function* recipientCsv(
  db: Database,
  who: AuthorizedRequest,
  send: CountedSend,
  filter: RecipientFilters,
): AsyncGenerator<string> {
  // The byte order mark tells spreadsheets that this is UTF-8.
  yield `\u{feff}${toCsvLine(columns)}`;
  const read = createPageReader(db, who);
  const isShown = (row: Recipient) => hasState(row, filter.state) && isFound(row, filter.search);
  if (filter.state !== 'excluded') {
    for (const seqs of pagesOf(send.recipients_total_count)) {
      const lines = await read(async (trx) => {
        const times = await listRecipientTimes(trx, send.id, seqs);
        const bySeq = new Map(times.map((row) => [row.seq, row]));
        const reacted = await findReacted(trx, send.id, filter, seqs);
        const recipients = await readDeliveries(trx, send.id, seqs);
        return recipients
          .filter((row) => isShown(row) && (reacted === undefined || reacted.has(row.seq ?? 0)))
          .map((row) => toLine(row, bySeq.get(row.seq ?? 0)));
      });
      yield lines.join('');
    }
  }
  if (filter.state !== undefined && filter.state !== 'excluded') return;
  if (filter.reaction !== undefined || filter.link !== undefined) return;
  for (const seqs of pagesOf(countExcluded(send))) {
    const rows = await read((trx) => readExclusions(trx, send.id, seqs));
    yield rows
      .filter(isShown)
      .map((row) => toLine(row))
      .join('');
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

const toLine = (recipient: Recipient, times?: RecipientTimes): string =>
  toCsvLine(
    [
      recipient.address,
      recipient.contact_id,
      recipient.state,
      recipient.exclusion_reason,
      String(recipient.attempts),
      times?.accepted_at,
      times?.is_measured == null ? null : String(times.is_measured),
      times?.first_opened_at,
      times?.first_clicked_at,
      times?.unsubscribed_at,
      recipient.error_content ?? recipient.reply,
    ].map((cell) => cell ?? ''),
  );
