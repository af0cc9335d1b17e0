import { Group, NativeSelect } from '@mantine/core';
import { campaignStatuses } from '@reachout/contract/states/campaign.ts';
import { touchpointStatuses } from '@reachout/contract/states/touchpoint.ts';
import { IconMail, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { checked, compact, readChoice, readListSearch, type Change } from '#web/platform/list-search.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { TouchpointForm } from '#web/outreach/touchpoints/touchpoint-form.tsx';
import { TouchpointGroups } from '#web/outreach/touchpoints/touchpoint-groups.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { FirstUse, NoMatch } from '#web/ui/states.tsx';

const readSearch = (raw: Record<string, unknown>) =>
  compact({
    ...readListSearch(raw, []),
    campaign: readChoice(raw['campaign'], campaignStatuses),
    status: readChoice(raw['status'], touchpointStatuses),
  });
type Search = ReturnType<typeof readSearch>;

export const Route = createFileRoute('/o/$orgId/touchpoints/')({
  validateSearch: checked(readSearch),
  component: Touchpoints,
});

const pageSize = 100;

function Touchpoints() {
  const { t } = useTranslation(['touchpoints', 'common']);
  const { api, orgId, canEver } = useOrganization();
  const { search, campaign, status, page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<Search>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const [creating, setCreating] = useState(false);
  const query = useQuery(
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
    }),
  );
  const filtered = search !== undefined || campaign !== undefined || status !== undefined;
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
      <PageHeader title={t('title')} primary={query.data?.count === 0 && !filtered ? undefined : create} />
      <AsyncRegion query={query} what={t('what')}>
        {({ items, count }) =>
          count === 0 && !filtered ? (
            <FirstUse icon={<IconMail size={28} stroke={1.75} />} title={t('empty.title')} actions={create}>
              {t(canEver('create', 'Touchpoint') ? 'empty.body' : 'empty.reader')}
            </FirstUse>
          ) : (
            <>
              <Group mb="md" gap="md" align="flex-end">
                <SearchField
                  label={t('search')}
                  value={search ?? ''}
                  onSearch={(text) => void go({ search: text || undefined, page: undefined })}
                />
                <NativeSelect
                  label={t('campaignStatus')}
                  value={campaign ?? ''}
                  data={[
                    { value: '', label: t('any') },
                    ...campaignStatuses.map((value) => ({ value, label: t(`common:status.${value}`) })),
                  ]}
                  onChange={(event) =>
                    void go({
                      campaign: readChoice(event.currentTarget.value, campaignStatuses),
                      page: undefined,
                    })
                  }
                />
                <NativeSelect
                  label={t('touchpointStatus')}
                  value={status ?? ''}
                  data={[
                    { value: '', label: t('any') },
                    ...touchpointStatuses.map((value) => ({ value, label: t(`common:status.${value}`) })),
                  ]}
                  onChange={(event) =>
                    void go({
                      status: readChoice(event.currentTarget.value, touchpointStatuses),
                      page: undefined,
                    })
                  }
                />
                <ResultCount count={count} active={filtered} />
              </Group>
              {count === 0 ? (
                <NoMatch
                  text={search ? t('noMatchSearch', { search }) : t('noMatch')}
                  onClear={() => void navigate({ search: {} })}
                />
              ) : (
                <TouchpointGroups campaigns={items} />
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
      {creating && <TouchpointForm onClose={() => setCreating(false)} />}
    </>
  );
}
