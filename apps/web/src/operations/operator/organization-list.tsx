import { Menu, Text, Title } from '@mantine/core';
import type { OperatedOrganization } from '@reachout/contract/operator.ts';
import { organizationStatuses } from '@reachout/contract/statuses.ts';
import { IconBuilding } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { api } from '#web/platform/api.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';
import { organizationList, type OrganizationSearch } from './operator-lists.ts';
import { operatedOrganizations } from './operator-queries.ts';
import { StatusFilter } from './status-filter.tsx';
import { StatusForm } from './status-form.tsx';

/** All organizations of the installation, whose status operators can change. */
export function OrganizationList({ search }: { search: OrganizationSearch }) {
  const { t } = useTranslation('operator');
  const format = useFormat();
  const query = useQuery(operatedOrganizations(search));
  const [changing, setChanging] = useState<OperatedOrganization>();
  const save = useMutation(api.operator.setOrganizationStatus.mutationOptions());
  const columns: Column<OperatedOrganization>[] = [
    { header: t('name'), cell: ({ name }) => name },
    { header: t('status'), cell: ({ status }) => <StatusBadge status={status} /> },
    { header: t('reason'), cell: ({ status_reason }) => status_reason ?? '' },
    { header: t('members'), align: 'end', cell: ({ members }) => format.number(members) },
    { header: t('created'), cell: ({ created_at }) => <Time at={created_at} /> },
  ];
  return (
    <>
      <ListPage
        query={query}
        what={t('organizations.what')}
        header={() => (
          <div>
            <Title order={1} mb={4}>
              {t('organizations.title')}
            </Title>
            <Text c="dimmed" mb="lg">
              {t('organizations.intro')}
            </Text>
          </div>
        )}
        searchLabel={t('organizations.search')}
        filters={<StatusFilter value={search.status} statuses={organizationStatuses} />}
        filtered={search.status !== undefined}
        noResults={t('organizations.noMatch')}
        empty={
          <EmptyState
            icon={IconBuilding}
            title={t('organizations.empty.title')}
            text={t('organizations.empty.body')}
          />
        }
        list={organizationList}
      >
        {(table) => (
          <DataTable
            {...table}
            label={t('organizations.title')}
            columns={columns}
            rowActions={(row) => (
              <RowMenu name={row.name}>
                <Menu.Item onClick={() => setChanging(row)}>{t('change')}</Menu.Item>
              </RowMenu>
            )}
          />
        )}
      </ListPage>
      {changing && (
        <StatusForm
          name={changing.name}
          status={changing.status}
          reason={changing.status_reason}
          choices={organizationStatuses.map((value) => ({ value, hint: t(`organizations.hints.${value}`) }))}
          onSave={(change) => save.mutateAsync({ id: changing.id, ...change })}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  );
}
