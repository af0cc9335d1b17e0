import { addReactionsTo } from './add-reactions.ts';
import { sendRow } from './send-statements.ts';

// Totals of results by quarter of an hour, state and class (`delivery_result_totals`). The results of a chunk are added
// once, some time after the chunk is done (`countDoneChunks`), because updating a total with every commit would cost a row
// version each time. Until then, readers count the result rows of the chunk (`counted_results`). Later results, and those
// of messages without a chunk, are added together with their row. Each of these transactions holds the lock of the send.
// The totals count each message once, in its current state: an accepted message that bounces later is removed from the quarter
// of its acceptance (`late-results.queries.ts`). Beside these, the state `accepted` counts what a mail server took, in the
// quarter in which it did: that never changes. What listeners make of accepted messages is stored with them. $1 is the
// organization, $2 the send.

/**
 * @param source  selects at (start of the quarter), state, class, count and not_measured
 * @param accepted  selects seq and accepted_at of the messages that a mail server took; a repeated one causes nothing
 */
export const addToTotals = (source: string, accepted: string) => `
  insert into delivery_result_totals as t (organization_id, touchpoint_id, at, send_id, state, class, count, not_measured)
  select $1::uuid, (select touchpoint_id from ${sendRow}), at, $2::uuid, state, class, count, not_measured
  from (${source}) added
  where (${reactTo(accepted)}) >= 0
  on conflict (organization_id, touchpoint_id, at, send_id, state, class) do update
  set count = t.count + excluded.count, not_measured = t.not_measured + excluded.not_measured`;

/** Depends on no row, and so is evaluated once. */
const reactTo = (accepted: string) => `
    select case when s.kind <> 'test' and listens_to(s.organization_id, s.touchpoint_id::text, 'SEND_EMAIL') then ${addReactionsTo(`
      select row($1::uuid, 'SEND_EMAIL', s.touchpoint_id, null, concat_ws('/', s.id, a.seq), a.accepted_at, true, s.id, a.seq, null, null,
        null, null, null, null)::cause
      from (${accepted}) a`)} else 0 end
    from touchpoint_sends s where s.organization_id = $1 and s.id = $2`;

/** Whether the totals have the results of the chunk of a message, or it has no chunk. */
export const isCounted = (seq: string) => `
  coalesce((
    select c.counted from delivery_chunks c
    where c.organization_id = $1 and c.send_id = $2 and c.first_seq <= ${seq}
    order by c.first_seq desc
    limit 1
  ), true)`;

/**
 * Adds the stored rows, except those of a chunk that `countDoneChunks` will add as a whole.
 * @param stored  a table expression with seq, state, class, at, accepted_at and tracked: the first results of their messages
 */
export const addStoredToTotals = (stored: string) =>
  addToTotals(
    `
    select date_bin('15 minutes', k.at, 'epoch') as at, k.state, k.class, count(*) as count,
      count(*) filter (where k.state = 'sent' and not r.tracked) as not_measured
    from ${stored} r
    cross join lateral (values (r.at, r.state, coalesce(r.class, '')), (r.accepted_at, 'accepted', '')) k (at, state, class)
    where k.at is not null and ${isCounted('r.seq')}
    group by 1, 2, 3`,
    `select seq, accepted_at from ${stored} where accepted_at is not null`,
  );
