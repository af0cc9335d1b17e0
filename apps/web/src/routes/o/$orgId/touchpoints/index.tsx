import { NativeSelect } from '@mantine/core';
import { campaignStatuses } from '@reachout/contract/states/campaign.ts';
import { touchpointStatuses } from '@reachout/contract/states/touchpoint.ts';
import { IconMail, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import {
  useOrganization,
  type OrganizationContextValue,
} from '#web/identity/organizations/organization-context.ts';
import { checked, compact, readChoice, readListSearch } from '#web/platform/list-search.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { TouchpointForm } from '#web/outreach/touchpoints/touchpoint-form.tsx';
import { TouchpointGroups } from '#web/outreach/touchpoints/touchpoint-groups.tsx';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const readSearch = checked((raw) =>
  compact({
    ...readListSearch(raw),
    campaign: readChoice(raw['campaign'], campaignStatuses),
    status: readChoice(raw['status'], touchpointStatuses),
  }),
);
type Search = ReturnType<typeof readSearch>;

const pageSize = 100;

const touchpointsQuery = (
  { api, orgId }: OrganizationContextValue,
  { search, campaign, status, page = 1 }: Search,
) =>
  api.campaignsTouchpoints.list.queryOptions({
    input: compact({
      organization_id: orgId,
      search,
      campaign_status: campaign,
      touchpoint_status: status,
      page: page - 1,
      page_size: pageSize,
    }),
    placeholderData: keepPreviousData,
  });

export const Route = createFileRoute('/o/$orgId/touchpoints/')({
  validateSearch: readSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.preload((scope) => [touchpointsQuery(scope, deps)]),
  component: Touchpoints,
});

function Touchpoints() {
  const { t } = useTranslation('touchpoints');
  const scope = useOrganization();
  const address = Route.useSearch();
  const { search, campaign, status } = address;
  const [creating, setCreating] = useState(false);
  const query = useQuery(touchpointsQuery(scope, address));
  const create = (
    <PermittedButton
      permission={['create', 'Touchpoint']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setCreating(true)}
    >
      {t('new')}
    </PermittedButton>
  );
  return (
    <>
      <ListPage
        query={query}
        what={t('what')}
        header={(action) => <PageHeader title={t('title')} primary={action} />}
        create={create}
        searchLabel={t('search')}
        filters={<StatusFilters search={address} />}
        filtered={campaign !== undefined || status !== undefined}
        noResults={search ? t('noMatchSearch', { search }) : t('noMatch')}
        empty={
          <EmptyState icon={<IconMail size={28} stroke={1.75} />} title={t('empty.title')} actions={create}>
            {t(scope.canEver('create', 'Touchpoint') ? 'empty.body' : 'empty.reader')}
          </EmptyState>
        }
        pageSize={pageSize}
      >
        {(campaigns) => <TouchpointGroups campaigns={campaigns} />}
      </ListPage>
      {creating && <TouchpointForm onClose={() => setCreating(false)} />}
    </>
  );
}

function StatusFilters({ search: { campaign, status } }: { search: Search }) {
  const { t } = useTranslation(['touchpoints', 'common']);
  const change = useChangeSearch<Search>();
  const any = { value: '', label: t('any') };
  return (
    <>
      <NativeSelect
        label={t('campaignStatus')}
        value={campaign ?? ''}
        data={[any, ...campaignStatuses.map((value) => ({ value, label: t(`common:status.${value}`) }))]}
        onChange={(event) => change({ campaign: readChoice(event.currentTarget.value, campaignStatuses) })}
      />
      <NativeSelect
        label={t('touchpointStatus')}
        value={status ?? ''}
        data={[any, ...touchpointStatuses.map((value) => ({ value, label: t(`common:status.${value}`) }))]}
        onChange={(event) => change({ status: readChoice(event.currentTarget.value, touchpointStatuses) })}
      />
    </>
  );
}
