import { Group, SegmentedControl } from '@mantine/core';
import { IconMailPlus, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { checked, compact, readChoice, readListSearch, type Change } from '#web/platform/list-search.ts';
import { InvitationLinkCard } from '#web/identity/invitations/invitation-link.tsx';
import { InvitationTable } from '#web/identity/invitations/invitation-table.tsx';
import { InviteForm } from '#web/identity/invitations/invite-form.tsx';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { FirstUse, NoMatch } from '#web/ui/states.tsx';

const readSearch = (raw: Record<string, unknown>) =>
  compact({ ...readListSearch(raw, []), view: readChoice(raw['view'], ['all']) });
type Search = ReturnType<typeof readSearch>;

export const Route = createFileRoute('/o/$orgId/settings/invitations')({
  validateSearch: checked(readSearch),
  component: Page,
});

const pageSize = 20;

function Page() {
  const { t } = useTranslation('settings');
  const { can } = useOrganization();
  const [inviting, setInviting] = useState(false);
  return (
    <SettingsPage
      section="invitations"
      primary={
        <PermittedButton
          permission={['create', 'Invitation']}
          leftSection={<IconPlus size={16} stroke={1.75} />}
          onClick={() => setInviting(true)}
        >
          {t('invitations.invite')}
        </PermittedButton>
      }
    >
      {can('create', 'Invitation') && <InvitationLinkCard />}
      <Invitations />
      {inviting && <InviteForm onClose={() => setInviting(false)} />}
    </SettingsPage>
  );
}

function Invitations() {
  const { t } = useTranslation(['settings', 'common']);
  const { api, orgId } = useOrganization();
  const { search, view, page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<Search>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const query = useQuery(
    api.invitations.list.queryOptions({
      input: compact({
        id: orgId,
        status: view === 'all' ? undefined : ('pending' as const),
        search,
        page: page - 1,
        page_size: pageSize,
      }),
      placeholderData: keepPreviousData,
    }),
  );
  return (
    <>
      <Group mb="md">
        <SegmentedControl
          aria-label={t('common:filter.status')}
          value={view ?? 'pending'}
          onChange={(next) => void go({ view: next === 'all' ? 'all' : undefined, page: undefined })}
          data={[
            { value: 'pending', label: t('invitations.pending') },
            { value: 'all', label: t('common:filter.all') },
          ]}
        />
        <SearchField
          label={t('invitations.search')}
          value={search ?? ''}
          onSearch={(text) => void go({ search: text || undefined, page: undefined })}
        />
        <ResultCount count={query.data?.count ?? 0} active={search !== undefined && query.isSuccess} />
      </Group>
      <AsyncRegion query={query} what={t('invitations.what')}>
        {({ items, count }) =>
          count === 0 && search !== undefined ? (
            <NoMatch
              text={t('invitations.noMatch', { search })}
              onClear={() => void go({ search: undefined, page: undefined })}
            />
          ) : count === 0 ? (
            <FirstUse icon={<IconMailPlus size={28} stroke={1.75} />} title={t('invitations.empty')}>
              {t('invitations.emptyHint')}
            </FirstUse>
          ) : (
            <>
              <InvitationTable rows={items} />
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
    </>
  );
}
