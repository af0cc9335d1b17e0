import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/** The schedules of an email, newest first. */
export const schedulesQuery = ({ api }: OrganizationContext, touchpointId: string) =>
  api.schedules.listOfTouchpoint.queryOptions({ input: { id: touchpointId }, meta: { quiet: true } });
