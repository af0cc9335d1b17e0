import { operations } from '../access/operations.ts';
import { listUsers } from '../auth/users/user.queries.ts';
import { transactionAs, type Database } from '../../platform/database/database.ts';
import { listOrganizations } from './operator.queries.ts';
import { requireOperator } from './operators.ts';
import { setOrganizationStatus } from './set-organization-status.ts';
import { setUserStatus } from './set-user-status.ts';

interface OperatorRoutesDeps {
  db: Database;
  authDb: Database;
  config: { operators: readonly string[] };
}

/** Organizations and users of the installation, for operators. */
export const createOperatorRoutes = ({ db, authDb, config: { operators } }: OperatorRoutesDeps) => ({
  organizations: operations.operator.organizations.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    return await transactionAs(authDb, {}, (trx) => listOrganizations(trx, input));
  }),

  setOrganizationStatus: operations.operator.setOrganizationStatus.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    await setOrganizationStatus(db, context, input);
    return { id: input.id };
  }),

  users: operations.operator.users.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    return await transactionAs(authDb, {}, (trx) => listUsers(trx, input));
  }),

  setUserStatus: operations.operator.setUserStatus.handler(async ({ input, context }) => {
    await requireOperator(context, operators);
    await setUserStatus({ db, authDb }, context, input);
    return { id: input.id };
  }),
});
