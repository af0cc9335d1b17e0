import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TouchpointList } from '#web/outreach/touchpoints/touchpoint-list.tsx';
import { touchpointList, touchpointsQuery } from '#web/outreach/touchpoints/touchpoints-query.ts';

export const Route = createFileRoute('/o/$orgId/brands/$brandId/touchpoints')({
  ...touchpointList.route,
  loader: ({ context, params, deps }) =>
    context.preload((scope) => [touchpointsQuery(scope, { brand_id: params.brandId }, deps)]),
  component: Touchpoints,
});

/** The touchpoints of all campaigns of the brand, without archived ones. */
function Touchpoints() {
  const { t } = useTranslation('touchpoints');
  const { brandId } = Route.useParams();
  return (
    <TouchpointList of={{ brand_id: brandId }} search={Route.useSearch()} empty={{ text: t('emptyBrand') }} />
  );
}
