import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';

/** The draft of an email as one contact would get it; the first of its audience if undefined. */
export const previewQuery = (
  { api, can }: OrganizationContext,
  touchpointId: string,
  { contact, hasBody }: { contact?: string | undefined; hasBody: boolean },
) =>
  api.emails.preview.queryOptions({
    input: compact({ id: touchpointId, collectionItemId: contact }),
    enabled: hasBody && can('read', 'Content'),
    meta: { quiet: true },
  });
