import { Badge, Button, Group } from '@mantine/core';
import type { TrashItem } from '@reachout/contract/organizations.ts';
import { IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { checked, compact, readListSearch, type Change, type ListSearch } from '#web/platform/list-search.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { notify } from '#web/ui/notify.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { ResultCount } from '#web/ui/result-count.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { ActionError, FirstUse, NoMatch } from '#web/ui/states.tsx';
import { useAction } from '#web/ui/use-action.ts';

export const Route = createFileRoute('/o/$orgId/settings/trash')({
  validateSearch: checked((raw) => readListSearch(raw, [])),
  component: Page,
});

const pageSize = 20;

const subjectOf = {
  client: 'Client',
  brand: 'Brand',
  campaign: 'Campaign',
  touchpoint: 'Touchpoint',
} as const;

const restore = {
  client: (id: string) => client.clients.restore({ id }),
  brand: (id: string) => client.brands.restore({ id }),
  campaign: (id: string) => client.campaigns.restore({ id }),
  touchpoint: (id: string) => client.touchpoints.restore({ id }),
};

function Page() {
  return (
    <SettingsPage section="trash">
      <Trash />
    </SettingsPage>
  );
}

function Trash() {
  const { t } = useTranslation(['settings', 'common']);
  const format = useFormat();
  const { api, orgId, can } = useOrganization();
  const { search, page = 1 } = Route.useSearch();
  const navigate = Route.useNavigate();
  const go = (change: Change<ListSearch>) => navigate({ search: (old) => compact({ ...old, ...change }) });
  const action = useAction();
  const [restoring, setRestoring] = useState<string>();
  const query = useQuery(
    api.organizations.trash.queryOptions({
      input: compact({ id: orgId, search, page: page - 1, page_size: pageSize }),
      placeholderData: keepPreviousData,
    }),
  );
  const bringBack = (item: TrashItem) => {
    setRestoring(item.id);
    void action.run(async () => {
      await restore[item.kind](item.id);
      await refreshOrganization(orgId);
      notify(t('common:restored', { what: item.name }));
    });
  };
  const columns: Column<TrashItem>[] = [
    {
      key: 'name',
      header: t('common:form.name'),
      cell: (item) => <span className="break">{item.name}</span>,
    },
    {
      key: 'kind',
      header: t('common:filter.type'),
      cell: (item) => (
        <Badge color="gray" className="status-badge">
          {t(`trash.kinds.${item.kind}`)}
        </Badge>
      ),
    },
    {
      key: 'place',
      header: t('trash.place'),
      cell: (item) => item.place.join(' › ') || t('common:none'),
    },
    { key: 'deleted', header: t('trash.deleted'), cell: (item) => format.relative(item.deleted_at) },
    { key: 'until', header: t('trash.until'), cell: (item) => format.date(item.restorable_until) },
  ];
  return (
    <>
      <ActionError error={action.error} />
      <AsyncRegion query={query} what={t('trash.what')}>
        {({ items, count }) =>
          count === 0 && search === undefined ? (
            <FirstUse icon={<IconTrash size={28} stroke={1.75} />} title={t('trash.empty')}>
              {t('trash.emptyHint')}
            </FirstUse>
          ) : (
            <>
              <Group mb="md">
                <SearchField
                  label={t('trash.search')}
                  value={search ?? ''}
                  onSearch={(text) => void go({ search: text || undefined, page: undefined })}
                />
                <ResultCount count={count} active={search !== undefined} />
              </Group>
              {count === 0 ? (
                <NoMatch
                  text={t('trash.noMatch', { search })}
                  onClear={() => void navigate({ search: {} })}
                />
              ) : (
                <DataTable
                  label={t('sections.trash')}
                  columns={columns}
                  rows={items}
                  rowKey={(item) => item.id}
                  rowActions={(item) =>
                    can('delete', subjectOf[item.kind]) && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        loading={action.pending && restoring === item.id}
                        aria-label={t('trash.restore', { name: item.name })}
                        onClick={() => bringBack(item)}
                      >
                        {t('common:actions.restore')}
                      </Button>
                    )
                  }
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
    </>
  );
}
