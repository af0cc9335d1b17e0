import { Menu, Select, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { OperatedOrganization, OperatedUser } from '@reachout/contract/operator.ts';
import type { OrganizationStatus } from '@reachout/contract/statuses.ts';
import type { Icon } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readChoice } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';
import { StatusForm, type StatusChange } from './status-form.tsx';

type Operated = OperatedOrganization | OperatedUser;

interface Props<Row extends Operated> {
  /** The texts of the list. */
  what: 'organizations' | 'users';
  icon: Icon;
  query: UseQueryResult<{ items: readonly Row[]; count: number }>;
  list: { pageSize: number };
  /** Each status with what it means. */
  choices: readonly { value: Row['status']; hint: string }[];
  status: Row['status'] | undefined;
  nameOf: (row: Row) => string;
  /** Beside name, status, reason and the time of creation. */
  columns: readonly Column<Row>[];
  canChange?: (row: Row) => boolean;
  onSave: (row: Row, change: StatusChange<Row['status']>) => Promise<unknown>;
}

/** All organizations or users of the installation, whose status operators can change. */
export function OperatedList<Row extends Operated>({
  what,
  icon,
  query,
  list,
  choices,
  status,
  nameOf,
  columns,
  canChange = () => true,
  onSave,
}: Props<Row>) {
  const { t } = useTranslation(['operator', 'common']);
  useDocumentTitle(`${t(`${what}.title`)} · ${t('common:product')}`);
  const changeSearch = useChangeSearch<{ status?: Row['status'] }>();
  const [changing, setChanging] = useState<Row>();
  const statuses = choices.map(({ value }) => value);
  const labelOf = (value: OrganizationStatus) => t(`common:status.${value}`);
  return (
    <>
      <ListPage
        query={query}
        what={t(`${what}.what`)}
        header={() => (
          <div>
            <Title order={1} mb={4}>
              {t(`${what}.title`)}
            </Title>
            <Text c="dimmed" mb="lg">
              {t(`${what}.intro`)}
            </Text>
          </div>
        )}
        searchLabel={t(`${what}.search`)}
        filters={
          <Select
            clearable
            aria-label={t('status')}
            placeholder={t('anyStatus')}
            value={status ?? null}
            data={statuses.map((value) => ({
              value,
              label: labelOf(value),
            }))}
            onChange={(next) => changeSearch({ status: readChoice(next, statuses) })}
          />
        }
        filtered={status !== undefined}
        noResults={t(`${what}.noMatch`)}
        empty={<EmptyState icon={icon} title={t(`${what}.empty.title`)} text={t(`${what}.empty.body`)} />}
        list={list}
      >
        {(table) => (
          <DataTable<Row>
            {...table}
            label={t(`${what}.title`)}
            columns={[
              { header: t('name'), cell: nameOf },
              ...columns,
              { header: t('status'), cell: (row) => <StatusBadge status={row.status} /> },
              { header: t('reason'), cell: ({ status_reason }) => status_reason ?? '' },
              { header: t('created'), cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
            rowActions={(row) =>
              canChange(row) && (
                <RowMenu name={nameOf(row)}>
                  <Menu.Item onClick={() => setChanging(row)}>{t('change')}</Menu.Item>
                </RowMenu>
              )
            }
          />
        )}
      </ListPage>
      {changing && (
        <StatusForm
          name={nameOf(changing)}
          status={changing.status}
          reason={changing.status_reason}
          choices={choices}
          onSave={(change) => onSave(changing, change)}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  );
}
