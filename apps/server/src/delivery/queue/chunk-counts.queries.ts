import type { Transaction } from '../../platform/database/database.ts';
import { runSteps, type PreparedStatement } from '../../platform/database/pipelined.ts';
import { addToTotals } from './result-totals.ts';
import { addCounts, countColumns, isSending, ofSend, sendRow, type SendKey } from './send-statements.ts';

// What was counted in a chunk that is done is added to its send, and its results to the totals, together with that of other
// chunks: while a long transaction keeps old versions of rows, a send that changed with each chunk would be slower to read
// with each of them. Until then readers add the few chunks that are not `counted` (`counted_sends`, `counted_results`).

/** While messages of the send go out. */
const countEverySeconds = 5;

// The times of all transactions that do this are in order, because each holds the lock of the send.
const isDue = `($3::boolean or not ${isSending} or exists (
  select from ${sendRow} and coalesce(counted_at < now() - make_interval(secs => ${countEverySeconds}), true)))`;

const sums = countColumns.map((column) => `coalesce(sum(${column}), 0)::int as ${column}`).join(', ');

/** The send is locked. $3: whether to do it even if it was done a moment ago. */
export const countDoneChunks: PreparedStatement = {
  name: 'count_done_chunks',
  text: `
    with done_chunk as materialized (
      select first_seq, last_seq, ${countColumns.join(', ')} from delivery_chunks
      where ${ofSend} and done and lease_token > 0 and not counted and ${isDue}
    ), summed as materialized (
      select ${sums} from done_chunk
    ), totals as (${addToTotals(`
      select r.at, r.state, r.class, sum(r.count) as count
      from done_chunk c cross join lateral sum_results($1, $2, c.first_seq, c.last_seq) r
      group by 1, 2, 3`)}
    ), counted as (
      update delivery_chunks
      set counted = true, ${countColumns.map((column) => `${column} = 0`).join(', ')}
      where ${ofSend} and first_seq = any(array(select first_seq from done_chunk))
    )
    update touchpoint_sends s
    set ${addCounts('summed')}, counted_at = now(), updated_at = now()
    from summed
    where s.organization_id = $1 and s.id = $2 and exists (select from done_chunk)`,
};

/** Before a send stops going out, or waits. The caller has locked it. */
export const countDoneChunksNow = (trx: Transaction, { organizationId, sendId }: SendKey): Promise<void> =>
  runSteps(trx, [{ ...countDoneChunks, values: [organizationId, sendId, true] }]);
