import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

export const topicsQuery = ({ api }: OrganizationContext, brandId: string) =>
  api.topics.list.queryOptions({ input: { id: brandId } });
