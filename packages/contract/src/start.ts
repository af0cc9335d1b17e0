import { DashboardOverview, resultsInput } from './dashboard.ts';
import { Preferences, User } from './me.ts';
import { Organization, OrganizationPermissions } from './organizations.ts';
import { userOperations } from './operation.ts';
import { list } from './values.ts';

/** What a user has chosen of the dashboard, if it is the page to be shown. */
const shownDashboard = resultsInput.omit({ organization_id: true, client_id: true });

/** The first page of the app needs all of this; separate requests would wait for each other. */
export const start = userOperations('Me')(
  'GET /start',
  'User, preferences, organizations, and permissions and dashboard of one of them, in one response',
)
  .input({
    organization_id: resultsInput.shape.organization_id.optional(),
    client_id: resultsInput.shape.client_id,
    /** Present if the first page is the dashboard. */
    dashboard: shownDashboard.optional(),
  })
  .output({
    user: User.pick({ id: true, email: true, full_name: true, avatar_url: true }),
    preferences: Preferences,
    organizations: list(Organization),
    /** Of the organization; null without `organization_id`, and if it is none of the user's. */
    permissions: OrganizationPermissions.nullable(),
    /** Null unless asked for, if the user may not see all of it, and while the server has no time for it at once. */
    dashboard: DashboardOverview.nullable(),
  });
