import type { Transaction } from '../platform/database/database.ts';
import { runSteps, statement } from '../platform/database/pipelined.ts';
import { addToTotals } from './result-totals.ts';
import { addCounts, countColumns, isSending, ofSend, sendRow, type SendKey } from './send-statements.ts';

// The counters of finished chunks are added to their send, and their results to the totals, several chunks at a time. If
// each chunk updated the send, every update would slow down reading it while a long transaction keeps old row versions.
// Until then, readers add the few chunks that are not `counted` yet (`counted_sends`, `counted_results`).

/** Minimum interval while the send is `sending`. */
const countEverySeconds = 5;

// `now()` increases from one such transaction to the next, because each holds the lock of the send.
const isDue = `($3::boolean or not ${isSending} or exists (
  select from ${sendRow} and coalesce(counted_at < now() - make_interval(secs => ${countEverySeconds}), true)))`;

const sums = countColumns.map((column) => `coalesce(sum(${column}), 0)::int as ${column}`).join(', ');

/** Requires the lock of the send. $3: whether to count even if the last count was less than `countEverySeconds` ago. */
export const countDoneChunks = statement('count_done_chunks')`
  with done_chunk as materialized (
    select first_seq, last_seq, ${countColumns.join(', ')} from delivery_chunks
    where ${ofSend} and done and lease_token > 0 and not counted and ${isDue}
  ), summed as materialized (
    select ${sums} from done_chunk
  ), totals as (${addToTotals(
    `
    select r.at, r.state, r.class, sum(r.count) as count, sum(r.not_measured) as not_measured
    from done_chunk c cross join lateral sum_results($1, $2, c.first_seq, c.last_seq) r
    group by 1, 2, 3`,
    `select r.seq, r.accepted_at from done_chunk c
      cross join lateral (
        select seq, accepted_at from delivery_results
        where ${ofSend} and seq between c.first_seq and c.last_seq and accepted_at is not null
        offset 0
      ) r`,
  )}
  ), counted as (
    update delivery_chunks
    set counted = true, ${countColumns.map((column) => `${column} = 0`).join(', ')}
    where ${ofSend} and first_seq = any(array(select first_seq from done_chunk))
  )
  update touchpoint_sends s
  set ${addCounts('summed')}, counted_at = now(), updated_at = now()
  from summed
  where s.organization_id = $1 and s.id = $2 and exists (select from done_chunk)`;

/** Counts finished chunks before a send leaves the status `sending`, or waits. The caller has locked the send. */
export const countDoneChunksNow = (trx: Transaction, { organizationId, sendId }: SendKey): Promise<void> =>
  runSteps(trx, [{ ...countDoneChunks, values: [organizationId, sendId, true] }]);
