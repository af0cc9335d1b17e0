import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';

export const contactQuery = ({ api, orgId }: OrganizationContext, collection: string, key: string) =>
  api.content.item.queryOptions({ input: { organization_id: orgId, collection, key } });

export const notesQuery = ({ api, orgId }: OrganizationContext, collection: string, key: string) =>
  api.contacts.notes.queryOptions({ input: { organization_id: orgId, collection, key } });
