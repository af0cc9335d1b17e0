import { sendRow } from './send-statements.ts';

// Totals of results by quarter of an hour, state and class (`delivery_result_totals`). The results of a chunk are added
// once, some time after the chunk is done (`countDoneChunks`), because updating a total with every commit would cost a row
// version each time. Until then, readers count the result rows of the chunk (`counted_results`). Later results, and those
// of messages without a chunk, are added together with their row. Each of these transactions holds the lock of the send.
// The totals count each message once, in its current state: if an accepted message bounces later, it has to be removed from
// the quarter of its acceptance. $1 is the organization, $2 the send.

/** @param source  selects at (start of the quarter), state, class, count and not_measured */
export const addToTotals = (source: string) => `
  insert into delivery_result_totals as t (organization_id, touchpoint_id, at, send_id, state, class, count, not_measured)
  select $1::uuid, (select touchpoint_id from ${sendRow}), at, $2::uuid, state, class, count, not_measured
  from (${source}) added
  on conflict (organization_id, touchpoint_id, at, send_id, state, class) do update
  set count = t.count + excluded.count, not_measured = t.not_measured + excluded.not_measured`;

/**
 * Adds the stored rows, except those of a chunk that `countDoneChunks` will add as a whole.
 * @param stored  a table expression with seq, state, class, at and tracked: the first results of their messages
 */
export const addStoredToTotals = (stored: string) =>
  addToTotals(`
    select date_bin('15 minutes', r.at, 'epoch') as at, r.state, coalesce(r.class, '') as class, count(*) as count,
      count(*) filter (where r.state = 'sent' and not r.tracked) as not_measured
    from ${stored} r
    where coalesce((
      select c.counted from delivery_chunks c
      where c.organization_id = $1 and c.send_id = $2 and c.first_seq <= r.seq
      order by c.first_seq desc
      limit 1
    ), true)
    group by 1, 2, 3`);
