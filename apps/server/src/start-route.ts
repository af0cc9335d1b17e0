import { call } from '@orpc/server';
import type { createOrganizationRoutes } from './identity/organizations/organization.routes.ts';
import type { createMeRoutes } from './identity/account/me.routes.ts';
import { operations } from './identity/access/operations.ts';
import { withoutPatience } from './platform/wait-budget.ts';
import type { createDashboardRoutes } from './insight/dashboard/dashboard.routes.ts';

interface Parts {
  me: Pick<ReturnType<typeof createMeRoutes>, 'get' | 'preferences'>;
  organizations: Pick<ReturnType<typeof createOrganizationRoutes>, 'list' | 'permissions'>;
  dashboard: Pick<ReturnType<typeof createDashboardRoutes>, 'overview'>;
}

/** The page frame must not wait for expensive work of others, and the app can ask for the dashboard itself. */
const dashboardWaitMs = 100;

/**
 * Runs the operations that the parts of the response are from, with the checks, limits and transactions of each. A part of
 * the organization that fails is left out: the app requests it itself, and shows the error.
 */
export const createStartRoute = ({ me, organizations, dashboard }: Parts) =>
  operations.start.handler(async ({ input, context }) => {
    // The path is that of this operation.
    const options = { context: { ...context, path: undefined } };
    const { organization_id: id, client_id, dashboard: shown } = input;
    const findPermissions = async () =>
      id === undefined ? null : await call(organizations.permissions, { id }, options);
    const findDashboard = async () =>
      id === undefined || shown === undefined
        ? null
        : await call(dashboard.overview, { organization_id: id, client_id, ...shown }, options);
    const [user, preferences, list, permissions, overview] = await Promise.all([
      call(me.get, undefined, options),
      call(me.preferences, undefined, options),
      call(organizations.list, undefined, options),
      findPermissions().catch(() => null),
      withoutPatience(findDashboard, dashboardWaitMs).catch(() => null),
    ]);
    return { user, preferences, organizations: list, permissions, dashboard: overview };
  });
