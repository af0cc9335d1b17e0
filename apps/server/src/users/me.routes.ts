import { call } from '../access/calls.ts';
import { notSignedIn } from '../platform/call-error.ts';
import { findUser } from './me.queries.ts';

export const meRoutes = {
  get: call.me.get.handler(({ context }) =>
    context.transaction(async (trx) => {
      const user = await findUser(trx, context.userId);
      // Removed since the session was looked up.
      if (user === undefined) throw notSignedIn();
      return user;
    }),
  ),
};
