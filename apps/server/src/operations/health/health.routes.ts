import { operations } from '../../identity/access/operations.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { isReachable } from '../../platform/database/is-reachable.ts';
import type { Database } from '../../platform/database/database.ts';

/** `live` touches nothing; `ready` asks the database at most once a second, however often it is called. */
export function createHealthRoutes({ db }: { db: Database }) {
  let lastAnswer: { at: number; ready: Promise<boolean> } | undefined;
  const isReady = () => {
    if (lastAnswer === undefined || Date.now() - lastAnswer.at >= 1_000) {
      const ready = isReachable(db);
      lastAnswer = { at: Date.now(), ready };
    }
    return lastAnswer.ready;
  };
  return {
    live: operations.health.live.handler(() => ({ status: 'ok' as const })),
    ready: operations.health.ready.handler(async () => {
      if (!(await isReady())) throw apiError('not_ready');
      return { status: 'ok' as const };
    }),
  };
}
