import { inTransaction, operations } from '../../access/operations.ts';
import { notFound } from '../../../platform/http/api-error.ts';
import { deleteSession, deleteSessions, selectSessions } from './sessions.queries.ts';

export const sessionRoutes = {
  sessions: inTransaction(operations.me.sessions, async (trx, _input, context) => {
    const sessions = await selectSessions(trx, context.userId);
    const items = sessions.map((session) => ({ ...session, is_current: session.id === context.sessionId }));
    return { items, count: items.length };
  }),
  endSession: inTransaction(operations.me.endSession, async (trx, input, context) => {
    if (!(await deleteSession(trx, context.userId, input.id))) throw notFound();
    return { id: input.id };
  }),
  endOtherSessions: inTransaction(operations.me.endOtherSessions, async (trx, _input, context) => ({
    ended: await deleteSessions(trx, context.userId, context.sessionId),
  })),
};
