import { IconSpeakerphone } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { TouchpointTable } from '#web/outreach/touchpoints/touchpoint-table.tsx';
import { checked, compact, readListSearch, type Change, type ListSearch } from '#web/platform/list-search.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { FirstUse } from '#web/ui/states.tsx';
import { useGoneRows } from '#web/ui/use-gone-rows.ts';

export const Route = createFileRoute('/o/$orgId/brands/$brandId/touchpoints')({
  validateSearch: checked((raw) => readListSearch(raw, ['name', 'updated_at'])),
  component: Touchpoints,
});

const pageSize = 100;

/** The touchpoints of all campaigns of the brand, without archived ones. */
function Touchpoints() {
  const { t } = useTranslation('touchpoints');
  const { brandId } = Route.useParams();
  const { api, orgId } = useOrganization();
  const { page = 1, order = 'name.asc' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<ListSearch>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const deletion = useGoneRows(() => refreshOrganization(orgId));
  const query = useQuery(
    api.touchpoints.list.queryOptions({
      input: {
        organization_id: orgId,
        brand_id: brandId,
        order: order as 'name.asc',
        page: page - 1,
        page_size: pageSize,
      },
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <AsyncRegion query={query} what={t('what')}>
      {({ items, count }) =>
        count === 0 && deletion.gone.length === 0 ? (
          <FirstUse icon={<IconSpeakerphone size={28} stroke={1.75} />} title={t('empty.title')}>
            {t('emptyBrand')}
          </FirstUse>
        ) : (
          <>
            <TouchpointTable
              rows={items}
              order={order}
              onOrder={(next) => void go({ order: next, page: undefined })}
              deletion={deletion}
            />
            <Pager page={page} pageSize={pageSize} total={count} onPage={(next) => void go({ page: next })} />
          </>
        )
      }
    </AsyncRegion>
  );
}
