import type { Recipient, RecipientFilters } from '@reachout/contract/sends.ts';
import { isReaction, readableFigures } from '@reachout/contract/rules/figure-columns.ts';
import { takesSingleMessages } from '@reachout/contract/states/send.ts';
import type { DeliveryState } from '@reachout/contract/statuses.ts';
import { scopeOf, type FigureReader } from '../../clients/figures/figures.ts';
import { forbidden } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Paging } from '../../platform/database/list-page.ts';
import type { CountedSend } from './send.ts';
import {
  countSending,
  findRecipients,
  listSeqsInStates,
  readDeliveries,
  notSentStates,
  readExclusions,
  type RecipientPage,
  type Slice,
} from './recipient-list.queries.ts';

/**
 * Reactions are results, so reading by them needs the same permission as statistics.
 * @throws 403
 */
export function requireReactions(reader: FigureReader, { reaction, link }: RecipientFilters): void {
  if (reaction === undefined && link === undefined) return;
  if (!readableFigures((subject) => scopeOf(reader, subject)).some(isReaction))
    throw forbidden('read', 'Statistics');
}

/**
 * Lists the contacts that the rule of a send matched: its deliveries by number, then the excluded ones. Single messages come
 * with the newest first. Deliveries and
 * exclusions are numbered without gaps, and the send has the counts, so an unfiltered page costs the same at any depth.
 * A filter by state scans the rows before the page, in one table; one by reaction reads the messages with this reaction, and
 * a search the addresses of the send, once.
 */
export async function listRecipients(
  trx: Transaction,
  send: CountedSend,
  { page, page_size, ...filters }: RecipientFilters & Paging,
): Promise<{ items: Recipient[]; count: number }> {
  const isNewestFirst = takesSingleMessages(send);
  const slice = { offset: page * page_size, limit: page_size, isNewestFirst };
  const { state, reaction, link, search } = filters;
  const found =
    search !== undefined || reaction !== undefined || link !== undefined
      ? await findRecipients(trx, send.id, filters, slice)
      : state === undefined
        ? pageOfAll(send, slice)
        : state === 'excluded'
          ? pageOfExcluded(send, slice)
          : state === 'not_sent'
            ? await pageOfNotSent(trx, send, slice)
            : await pageOfState(trx, send, state, slice);
  return {
    items: [
      ...(await readDeliveries(trx, send.id, found.seqs, isNewestFirst)),
      ...(await readExclusions(trx, send.id, found.excludedSeqs)),
    ],
    count: found.count,
  };
}

function pageOfAll(send: CountedSend, { offset, limit, isNewestFirst }: Slice): RecipientPage {
  const deliveries = send.recipients_total_count;
  const excluded = countExcluded(send);
  const end = offset + limit;
  if (isNewestFirst)
    return {
      count: deliveries,
      seqs: seqsBetween(Math.max(0, deliveries - end), deliveries - offset),
      excludedSeqs: [],
    };
  return {
    count: deliveries + excluded,
    seqs: seqsBetween(offset, Math.min(end, deliveries)),
    excludedSeqs: seqsBetween(Math.max(0, offset - deliveries), Math.min(end - deliveries, excluded)),
  };
}

function pageOfExcluded(send: CountedSend, { offset, limit }: Slice): RecipientPage {
  const count = countExcluded(send);
  return { count, seqs: [], excludedSeqs: seqsBetween(offset, Math.min(offset + limit, count)) };
}

async function pageOfState(
  trx: Transaction,
  send: CountedSend,
  state: DeliveryState,
  slice: Slice,
): Promise<RecipientPage> {
  const count = await countInState(trx, send, state);
  const seqs = count > slice.offset ? await listSeqsInStates(trx, send.id, [state], slice) : [];
  return { count, seqs, excludedSeqs: [] };
}

/** Deliveries that ended in a state other than sent, or are uncertain. */
async function pageOfNotSent(trx: Transaction, send: CountedSend, slice: Slice): Promise<RecipientPage> {
  const count = notSentStates.reduce((sum, state) => sum + send[counters[state]], 0);
  const states = notSentStates.filter((state) => send[counters[state]] > 0);
  const seqs = count > slice.offset ? await listSeqsInStates(trx, send.id, states, slice) : [];
  return { count, seqs, excludedSeqs: [] };
}

async function countInState(trx: Transaction, send: CountedSend, state: DeliveryState): Promise<number> {
  if (state === 'sending') return await countSending(trx, send.id);
  if (state !== 'queued') return send[counters[state]];
  // Messages in progress have no counter; `recipients_queued_count` includes them.
  return send.recipients_queued_count === 0
    ? 0
    : Math.max(0, send.recipients_queued_count - (await countSending(trx, send.id)));
}

const counters = {
  uncertain: 'recipients_uncertain_count',
  sent: 'recipients_total_sent_count',
  bounced: 'recipients_total_delivery_failed_count',
  failed: 'recipients_total_failed_count',
  suppressed: 'recipients_suppressed_count',
  skipped: 'recipients_skipped_count',
  cancelled: 'recipients_cancelled_count',
} as const satisfies Record<Exclude<DeliveryState, 'queued' | 'sending'>, keyof CountedSend>;

export const countExcluded = ({ audience_breakdown }: CountedSend): number =>
  Object.values(audience_breakdown?.excluded ?? {}).reduce((sum, count) => sum + count, 0);

/** The numbers `offset` + 1 to `end`. */
export const seqsBetween = (offset: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - offset) }, (_, index) => offset + 1 + index);
