import { useQuery } from '@tanstack/react-query';
import type { Audience } from '#web/content/templates/merge-tags.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';

/** The recipients whose empty values are counted beside merge tags: those of the current email. */
export function useTagAudience(): Audience {
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const email = useQuery(api.touchpoints.getEmail.queryOptions({ input: { id: touchpoint.id } }));
  return { brandId: touchpoint.brand.id, filterId: email.data?.filter_id ?? null };
}
