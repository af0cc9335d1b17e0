import type { PipelinedDatabase } from '../platform/database/pipelined.ts';
import { maxUnfolded, type Subject } from './event-backlog.ts';

/**
 * Folds the oldest events of a subject, of all organizations or of one (db/functions/events.sql).
 * @returns how many; 0 while another process is folding
 */
export async function foldEvents(
  db: PipelinedDatabase,
  subject: Subject,
  maxRows: number,
  organizationId: string | null = null,
): Promise<number> {
  const name = `fold_${subject}_events`;
  const [row] = await db.statement({
    name,
    text: `select ${name}($1, $2) as folded`,
    values: [maxRows, organizationId],
  });
  return (row as { folded: number }).folded;
}

/**
 * Looks again at clicks that are ten minutes old, and moves those of scanners to bots (db/functions/events.sql).
 * @param skipped  so many of the oldest messages are left out
 * @returns of how many messages; 0 while another process is folding
 */
export async function reviewClicks(db: PipelinedDatabase, maxMessages: number, skipped = 0): Promise<number> {
  const [row] = await db.statement({
    name: 'review_clicks',
    text: 'select review_clicks($1, $2) as reviewed',
    values: [maxMessages, skipped],
  });
  return (row as { reviewed: number }).reviewed;
}

/** @returns the organizations whose events wait */
export async function listOrganizationsToFold(db: PipelinedDatabase, subject: Subject): Promise<string[]> {
  const rows = await db.statement({
    name: 'organizations_to_fold',
    text: 'select id from organizations_to_fold($1) id',
    values: [subject],
  });
  return (rows as { id: string }[]).map(({ id }) => id);
}

/** @returns how many events of each subject wait, counted up to `maxUnfolded` + 1, and since how many seconds some do */
export async function readBacklog(
  db: PipelinedDatabase,
): Promise<Record<'unfolded' | 'seconds', Record<Subject, number>>> {
  const rows = await db.statement({
    name: 'count_unfolded_events',
    text: 'select subject, count, seconds from count_unfolded_events($1)',
    values: [maxUnfolded + 1],
  });
  const waiting = rows as { subject: Subject; count: number; seconds: number }[];
  const of = (key: 'count' | 'seconds') =>
    Object.fromEntries(waiting.map((row) => [row.subject, row[key]])) as Record<Subject, number>;
  return { unfolded: of('count'), seconds: of('seconds') };
}
