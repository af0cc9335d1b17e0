import { SegmentedControl } from '@mantine/core';
import { campaignStatuses } from '@reachout/contract/states/campaign.ts';
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import {
  useOrganization,
  type OrganizationContextValue,
} from '#web/identity/organizations/organization-context.ts';
import { CampaignForm } from '#web/outreach/campaigns/campaign-form.tsx';
import { CampaignTable, useCampaignDeletion } from '#web/outreach/campaigns/campaign-table.tsx';
import { checked, compact, readChoice, readListSearch } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const readSearch = checked((raw) =>
  compact({
    ...readListSearch(raw, ['name', 'status', 'updated_at']),
    status: readChoice(raw['status'], campaignStatuses),
  }),
);
type Search = ReturnType<typeof readSearch>;

const pageSize = 100;
const defaultOrder = 'updated_at.desc';
const views = ['all', 'draft', 'scheduled', 'archived'] as const;

const campaignsQuery = (
  { api, orgId }: OrganizationContextValue,
  { page = 1, order = defaultOrder, ...rest }: Search,
) =>
  api.campaigns.list.queryOptions({
    input: { organization_id: orgId, ...rest, order, page: page - 1, page_size: pageSize },
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/campaigns/')({
  validateSearch: readSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.preload((scope) => [campaignsQuery(scope, deps)]),
  component: Campaigns,
});

function Campaigns() {
  const { t } = useTranslation(['campaigns', 'common']);
  const scope = useOrganization();
  const address = Route.useSearch();
  const { search, status } = address;
  const change = useChangeSearch<Search>();
  const [creating, setCreating] = useState(false);
  const deletion = useCampaignDeletion();
  const create = (
    <PermittedButton
      permission={['create', 'Campaign']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setCreating(true)}
    >
      {t('new')}
    </PermittedButton>
  );
  const query = useQuery(campaignsQuery(scope, address));
  return (
    <>
      <ListPage
        query={query}
        what={t('what')}
        header={(action) => <PageHeader title={t('title')} primary={action} />}
        create={create}
        searchLabel={t('search')}
        filters={
          <SegmentedControl
            aria-label={t('common:filter.status')}
            value={views.find((view) => view === status) ?? 'all'}
            onChange={(view) => change({ status: readChoice(view, campaignStatuses) })}
            data={views.map((view) => ({ value: view, label: t(`views.${view}`) }))}
          />
        }
        filtered={status !== undefined}
        noResults={search ? t('noMatchSearch', { search }) : t('noMatch')}
        empty={
          <EmptyState
            icon={<IconSpeakerphone size={28} stroke={1.75} />}
            title={t('empty.title')}
            actions={create}
          >
            {t(scope.canEver('create', 'Campaign') ? 'empty.body' : 'empty.reader')}
          </EmptyState>
        }
        defaultOrder={defaultOrder}
        pageSize={pageSize}
        deletion={deletion}
      >
        {(rows, table) => <CampaignTable {...table} rows={rows} deletion={deletion} withBrand />}
      </ListPage>
      {creating && <CampaignForm onClose={() => setCreating(false)} />}
    </>
  );
}
