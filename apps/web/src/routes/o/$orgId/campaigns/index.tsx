import { Group, SegmentedControl } from '@mantine/core';
import { campaignStatuses } from '@reachout/contract/states/campaign.ts';
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CampaignForm } from '#web/outreach/campaigns/campaign-form.tsx';
import { CampaignTable } from '#web/outreach/campaigns/campaign-table.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { checked, compact, readChoice, readListSearch, type Change } from '#web/platform/list-search.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { FirstUse, NoMatch } from '#web/ui/states.tsx';
import { useGoneRows } from '#web/ui/use-gone-rows.ts';

const readSearch = (raw: Record<string, unknown>) =>
  compact({
    ...readListSearch(raw, ['name', 'status', 'updated_at']),
    status: readChoice(raw['status'], campaignStatuses),
  });
type Search = ReturnType<typeof readSearch>;

export const Route = createFileRoute('/o/$orgId/campaigns/')({
  validateSearch: checked(readSearch),
  component: Campaigns,
});

const pageSize = 100;
const views = ['all', 'draft', 'scheduled', 'archived'] as const;

function Campaigns() {
  const { t } = useTranslation(['campaigns', 'common']);
  const { api, orgId, mayEver } = useOrganization();
  const { search, status, page = 1, order = 'updated_at.desc' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<Search>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const [creating, setCreating] = useState(false);
  const deletion = useGoneRows(() => refreshOrganization(orgId));
  const query = useQuery(
    api.campaigns.list.queryOptions({
      input: compact({
        organization_id: orgId,
        search,
        status,
        order: order as 'name.asc',
        page: page - 1,
        page_size: pageSize,
      }),
      placeholderData: keepPreviousData,
    }),
  );
  const filtered = search !== undefined || status !== undefined;
  const create = (
    <PermittedButton
      permission={['create', 'Campaign']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
      onClick={() => setCreating(true)}
    >
      {t('new')}
    </PermittedButton>
  );
  return (
    <>
      <PageHeader title={t('title')} primary={query.data?.count === 0 && !filtered ? undefined : create} />
      <AsyncRegion query={query} what={t('what')}>
        {({ items, count }) =>
          count === 0 && !filtered && deletion.gone.length === 0 ? (
            <FirstUse
              icon={<IconSpeakerphone size={28} stroke={1.75} />}
              title={t('empty.title')}
              actions={create}
            >
              {t(mayEver('create', 'Campaign') ? 'empty.body' : 'empty.reader')}
            </FirstUse>
          ) : (
            <>
              <Group mb="md" gap="md">
                <SearchField
                  label={t('search')}
                  value={search ?? ''}
                  onSearch={(text) => void go({ search: text || undefined, page: undefined })}
                />
                <SegmentedControl
                  aria-label={t('common:filter.status')}
                  value={views.find((view) => view === status) ?? 'all'}
                  onChange={(view) =>
                    void go({ status: readChoice(view, campaignStatuses), page: undefined })
                  }
                  data={views.map((view) => ({ value: view, label: t(`views.${view}`) }))}
                />
                <ResultCount count={count} active={filtered} />
              </Group>
              {count === 0 && filtered ? (
                <NoMatch
                  text={search ? t('noMatchSearch', { search }) : t('noMatch')}
                  onClear={() => void navigate({ search: {} })}
                />
              ) : (
                <CampaignTable
                  rows={items}
                  order={order}
                  onOrder={(next) => void go({ order: next, page: undefined })}
                  deletion={deletion}
                  withBrand
                />
              )}
              <Pager
                page={page}
                pageSize={pageSize}
                total={count}
                onPage={(next) => void go({ page: next })}
              />
            </>
          )
        }
      </AsyncRegion>
      {creating && <CampaignForm onClose={() => setCreating(false)} />}
    </>
  );
}
