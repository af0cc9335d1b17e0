import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { gauge, type Metric } from '../metrics/metric.ts';
import { listJobFigures, type KindFigures } from './job-list.queries.ts';

/** How long the figures are cached, however often they are requested. */
const keptMs = 15_000;
/** An unreachable database must not delay the other metrics. */
const longestWaitMs = 1_000;

/**
 * Metrics of the jobs of the whole installation, by kind, at most 15 s old; empty if the database fails or takes longer
 * than 1 s.
 * @param db  logs in as `reachout_auth`, which sees the jobs of all organizations
 */
export function createJobMetrics(db: Database): () => Promise<Metric[]> {
  let last: { figures: Promise<KindFigures[]>; at: number } | undefined;
  return async () => {
    if (last === undefined || performance.now() - last.at > keptMs) {
      const figures = db.transaction().execute(listJobFigures);
      last = { figures: figures.catch(() => []), at: performance.now() };
    }
    const { figures, at } = last;
    const silence = delay(longestWaitMs, [], { ref: false });
    const kinds = await Promise.race([figures, silence]);
    const readAt = Date.now() - (performance.now() - at);
    return [
      gauge(
        'reachout_jobs',
        'Jobs that are open (running included), running, or have failed.',
        kinds.flatMap(({ kind, open, running, failed }) =>
          Object.entries({ open, running, failed }).map(([state, value]) => ({
            labels: { kind, state },
            value,
          })),
        ),
      ),
      gauge(
        'reachout_jobs_oldest_due_age_seconds',
        'How long the job that has waited longest is due; 0 when none waits.',
        kinds.map(({ kind, oldest_due_at }) => ({
          labels: { kind },
          value: oldest_due_at === null ? 0 : Math.max(0, (readAt - Date.parse(oldest_due_at)) / 1000),
        })),
      ),
    ];
  };
}
