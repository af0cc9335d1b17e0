import type { FastifyInstance } from 'fastify';
import { operations } from '../../identity/access/operations.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { sendProblem } from '../../platform/http/request-guards.ts';
import type { Readiness } from './readiness.ts';

const ok = { status: 'ok' } as const;

/** Health checks; `live` accesses no other system. */
export const createHealthRoutes = ({ isReady }: { isReady: Readiness }) => ({
  live: operations.health.live.handler(() => ok),
  ready: operations.health.ready.handler(async () => {
    if (!(await isReady())) throw apiError('not_ready');
    return ok;
  }),
});

/** Registers the same checks in a process without the API. */
export function registerHealth(app: FastifyInstance, isReady: Readiness): void {
  app.get('/api/health/live', () => ok);
  app.get('/api/health/ready', async (_request, reply) =>
    (await isReady()) ? ok : await sendProblem(reply, apiError('not_ready')),
  );
}
