import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

/** The topics of a brand, in their order. */
export const topicsQuery = ({ api }: OrganizationContext, brandId: string) =>
  api.topics.list.queryOptions({ input: { id: brandId } });
