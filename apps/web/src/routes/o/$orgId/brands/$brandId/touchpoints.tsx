import { IconSpeakerphone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useListColumns } from '#web/identity/account/list-columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpointColumns } from '#web/outreach/touchpoints/touchpoint-columns.tsx';
import { TouchpointTable } from '#web/outreach/touchpoints/touchpoint-table.tsx';
import { touchpointList, touchpointsQuery } from '#web/outreach/touchpoints/touchpoints-query.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useDeletedRecords } from '#web/ui/deletion.ts';

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
  const query = useQuery(touchpointsQuery(useOrganization(), { brand_id: brandId }, Route.useSearch()));
  const deletion = useDeletedRecords(useOrganization().api.touchpoints);
  const { columns, choice } = useListColumns('touchpoints', useTouchpointColumns({ isGrouped: false }));
  return (
    <ListPage
      query={query}
      what={t('what')}
      empty={<EmptyState icon={IconSpeakerphone} title={t('empty.title')} text={t('emptyBrand')} />}
      actions={choice}
      list={touchpointList}
      deletion={deletion}
    >
      {(table) => <TouchpointTable {...table} deletion={deletion} columns={columns} />}
    </ListPage>
  );
}
