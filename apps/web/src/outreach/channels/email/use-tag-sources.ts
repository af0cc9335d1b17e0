import { useQuery } from '@tanstack/react-query';
import type { TagSources } from '#web/content/templates/merge-tags.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';

/** What merge tags of the current email read: its recipients and its content items. */
export function useTagSources(): TagSources {
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const email = useQuery(api.touchpoints.getEmail.queryOptions({ input: { id: touchpoint.id } }));
  const { collection, brand } = touchpoint;
  return {
    brandId: brand.id,
    filterId: email.data?.filter_id ?? null,
    ...(collection !== null && { content: { collection, itemId: email.data?.item_id ?? null } }),
  };
}
