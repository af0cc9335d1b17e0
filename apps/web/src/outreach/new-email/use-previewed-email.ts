import { useQuery } from '@tanstack/react-query';
import { audienceCountQuery } from '#web/content/audiences/audience-count-query.ts';
import type { PreviewedEmail } from '#web/content/templates/template-preview.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';

/** What the editor of a template shows when it is opened from an email. @returns undefined without one, or until loaded */
export function usePreviewedEmail(id: string | undefined): PreviewedEmail | undefined {
  const scope = useOrganization();
  const { api } = scope;
  const isOpen = id !== undefined;
  const input = { id: id ?? '' };
  const touchpoint = useQuery(api.touchpoints.get.queryOptions({ input, enabled: isOpen }));
  const email = useQuery(api.touchpoints.getEmail.queryOptions({ input, enabled: isOpen }));
  const filterId = email.data?.filter_id ?? null;
  const filter = useQuery(
    api.filters.get.queryOptions({ input: { id: filterId ?? '' }, enabled: filterId !== null }),
  );
  const brandId = touchpoint.data?.brand.id;
  const audience = useQuery(
    audienceCountQuery(scope, brandId ?? '', brandId === undefined ? undefined : filter.data),
  );
  if (brandId === undefined) return undefined;
  const people = filter.data === undefined ? [] : (audience.data?.sample ?? []);
  return { brandId, collection: filter.data?.collection ?? 'contacts', people };
}
