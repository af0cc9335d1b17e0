import { IconSpeakerphone } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CampaignTable } from '#web/outreach/campaigns/campaign-table.tsx';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { checked, compact, readListSearch, type Change, type ListSearch } from '#web/platform/list-search.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { FirstUse } from '#web/ui/states.tsx';
import { useGoneRows } from '#web/ui/use-gone-rows.ts';

export const Route = createFileRoute('/o/$orgId/brands/$brandId/campaigns')({
  validateSearch: checked((raw) => readListSearch(raw, ['name', 'status', 'updated_at'])),
  component: Campaigns,
});

const pageSize = 10;

/** The campaigns of the brand; the layout above has the action that makes one. */
function Campaigns() {
  const { t } = useTranslation(['campaigns', 'common']);
  const { brandId } = Route.useParams();
  const { api, orgId, mayEver } = useOrganization();
  const { page = 1, order = 'updated_at.desc' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<ListSearch>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const deletion = useGoneRows(() => refreshOrganization(orgId));
  const query = useQuery(
    api.campaigns.list.queryOptions({
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
            {t(mayEver('create', 'Campaign') ? 'empty.body' : 'empty.reader')}
          </FirstUse>
        ) : (
          <>
            <CampaignTable
              rows={items}
              order={order}
              onOrder={(next) => void go({ order: next, page: undefined })}
              deletion={deletion}
              withBrand={false}
            />
            <Pager page={page} pageSize={pageSize} total={count} onPage={(next) => void go({ page: next })} />
          </>
        )
      }
    </AsyncRegion>
  );
}
