import type { PipelinedDatabase } from '../platform/database/pipelined.ts';
import type { Subject } from './event-backlog.ts';

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

/** @returns the organizations whose events wait */
export async function listOrganizationsToFold(db: PipelinedDatabase, subject: Subject): Promise<string[]> {
  const rows = await db.statement({
    name: 'organizations_to_fold',
    text: 'select id from organizations_to_fold($1) id',
    values: [subject],
  });
  return (rows as { id: string }[]).map(({ id }) => id);
}

/** @returns how many events of each subject wait, counted up to `most` */
export async function countUnfolded(db: PipelinedDatabase, most: number): Promise<Record<Subject, number>> {
  const rows = await db.statement({
    name: 'count_unfolded_events',
    text: 'select subject, count from count_unfolded_events($1)',
    values: [most],
  });
  const counts = (rows as { subject: Subject; count: number }[]).map(({ subject, count }) => [
    subject,
    count,
  ]);
  return Object.fromEntries(counts) as Record<Subject, number>;
}
