import { IconSpeakerphone } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import {
  useOrganization,
  type OrganizationContextValue,
} from '#web/identity/organizations/organization-context.ts';
import { CampaignTable, useCampaignDeletion } from '#web/outreach/campaigns/campaign-table.tsx';
import { checked, readListSearch } from '#web/platform/list-search.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const readSearch = checked((raw) => readListSearch(raw, ['name', 'status', 'updated_at']));
type Search = ReturnType<typeof readSearch>;

const pageSize = 10;
const defaultOrder = 'updated_at.desc';

const campaignsQuery = (
  { api, orgId }: OrganizationContextValue,
  brandId: string,
  { page = 1, order = defaultOrder }: Search,
) =>
  api.campaigns.list.queryOptions({
    input: { organization_id: orgId, brand_id: brandId, order, page: page - 1, page_size: pageSize },
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/brands/$brandId/campaigns')({
  validateSearch: readSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    context.preload((scope) => [campaignsQuery(scope, params.brandId, deps)]),
  component: Campaigns,
});

/** The campaigns of the brand; the layout above has the action that makes one. */
function Campaigns() {
  const { t } = useTranslation('campaigns');
  const { brandId } = Route.useParams();
  const scope = useOrganization();
  const deletion = useCampaignDeletion();
  const query = useQuery(campaignsQuery(scope, brandId, Route.useSearch()));
  return (
    <ListPage
      query={query}
      what={t('what')}
      empty={
        <EmptyState icon={<IconSpeakerphone size={28} stroke={1.75} />} title={t('empty.title')}>
          {t(scope.canEver('create', 'Campaign') ? 'empty.body' : 'empty.reader')}
        </EmptyState>
      }
      defaultOrder={defaultOrder}
      pageSize={pageSize}
      deletion={deletion}
    >
      {(rows, table) => <CampaignTable {...table} rows={rows} deletion={deletion} withBrand={false} />}
    </ListPage>
  );
}
