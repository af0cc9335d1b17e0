import { operations } from '../../access/operations.ts';
import { notFound } from '../../../platform/http/api-error.ts';
import { deleteSession, deleteSessions, selectSessions } from './sessions.queries.ts';

export const sessionRoutes = {
  sessions: operations.me.sessions.handler(({ context }) =>
    context.transaction(async (trx) => {
      const sessions = await selectSessions(trx, context.userId);
      const items = sessions.map((session) => ({ ...session, is_current: session.id === context.sessionId }));
      return { items, count: items.length };
    }),
  ),
  endSession: operations.me.endSession.handler(({ input, context }) =>
    context.transaction(async (trx) => {
      if (!(await deleteSession(trx, context.userId, input.id))) throw notFound();
      return { id: input.id };
    }),
  ),
  endOtherSessions: operations.me.endOtherSessions.handler(({ context }) =>
    context.transaction(async (trx) => ({
      ended: await deleteSessions(trx, context.userId, context.sessionId),
    })),
  ),
};
