import { Menu, Text, Title } from '@mantine/core';
import type { OperatedUser } from '@reachout/contract/operator.ts';
import { userStatuses } from '@reachout/contract/statuses.ts';
import { IconUsers } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '#web/identity/account/me-query.ts';
import { api } from '#web/platform/api.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';
import { userList, type UserSearch } from './operator-lists.ts';
import { operatedUsers } from './operator-queries.ts';
import { StatusFilter } from './status-filter.tsx';
import { StatusForm } from './status-form.tsx';

/** All users of the installation, whose status operators can change. */
export function UserList({ search }: { search: UserSearch }) {
  const { t } = useTranslation('operator');
  const query = useQuery(operatedUsers(search));
  const me = useQuery(meQuery);
  const [changing, setChanging] = useState<OperatedUser>();
  const save = useMutation(api.operator.setUserStatus.mutationOptions());
  const columns: Column<OperatedUser>[] = [
    { header: t('name'), cell: ({ full_name }) => full_name },
    { header: t('email'), cell: ({ email }) => <span className="break">{email}</span> },
    { header: t('status'), cell: ({ status }) => <StatusBadge status={status} /> },
    { header: t('reason'), cell: ({ status_reason }) => status_reason ?? '' },
    { header: t('created'), cell: ({ created_at }) => <Time at={created_at} /> },
  ];
  return (
    <>
      <ListPage
        query={query}
        what={t('users.what')}
        header={() => (
          <div>
            <Title order={1} mb={4}>
              {t('users.title')}
            </Title>
            <Text c="dimmed" mb="lg">
              {t('users.intro')}
            </Text>
          </div>
        )}
        searchLabel={t('users.search')}
        filters={<StatusFilter value={search.status} statuses={userStatuses} />}
        filtered={search.status !== undefined}
        noResults={t('users.noMatch')}
        empty={<EmptyState icon={IconUsers} title={t('users.empty.title')} text={t('users.empty.body')} />}
        list={userList}
      >
        {(table) => (
          <DataTable
            {...table}
            label={t('users.title')}
            columns={columns}
            // Operators cannot change their own status.
            rowActions={(row) =>
              row.id !== me.data?.id && (
                <RowMenu name={row.full_name}>
                  <Menu.Item onClick={() => setChanging(row)}>{t('change')}</Menu.Item>
                </RowMenu>
              )
            }
          />
        )}
      </ListPage>
      {changing && (
        <StatusForm
          name={changing.full_name}
          status={changing.status}
          reason={changing.status_reason}
          choices={userStatuses.map((value) => ({ value, hint: t(`users.hints.${value}`) }))}
          onSave={(change) => save.mutateAsync({ id: changing.id, ...change })}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  );
}
