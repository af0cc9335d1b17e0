import { Menu } from '@mantine/core';
import type { OperatedOrganization, OperatedUser } from '@reachout/contract/operator.ts';
import type { OrganizationStatus } from '@reachout/contract/statuses.ts';
import type { Icon } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { statusColumn, timeColumn } from '#web/identity/lists/columns.tsx';
import { useListTexts, type ListTextsIn } from '#web/identity/lists/list-texts.ts';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { PlainHeader } from '#web/ui/plain-header.tsx';
import { StatusForm, type StatusChange } from './status-form.tsx';

type Operated = OperatedOrganization | OperatedUser;

interface Props<Row extends Operated> {
  /** With `intro`, below the title. */
  texts: ListTextsIn;
  icon: Icon;
  query: UseQueryResult<{ items: readonly Row[]; count: number }>;
  list: { pageSize: number; isSearchable: boolean };
  /** Each status with what it means. */
  choices: readonly { value: Row['status']; hint: string }[];
  nameOf: (row: Row) => string;
  /** Beside name, status, reason and the time of creation. */
  columns: readonly ListColumn<Row>[];
  canChange?: (row: Row) => boolean;
  onSave: (row: Row, change: StatusChange<Row['status']>) => Promise<unknown>;
}

/** All organizations or users of the installation, whose status operators can change. */
export function OperatedList<Row extends Operated>({
  texts,
  icon,
  query,
  list,
  choices,
  nameOf,
  columns,
  canChange = () => true,
  onSave,
}: Props<Row>) {
  const { t } = useTranslation(['operator', 'common']);
  const { title, text } = useListTexts(texts);
  const labelOf = (value: OrganizationStatus) => t(`common:status.${value}`);
  const [changing, setChanging] = useState<Row>();
  return (
    <>
      <RecordList
        query={query}
        list={list}
        header={() => <PlainHeader title={title} intro={text('intro')} />}
        texts={texts}
        icon={icon}
        filters={[
          {
            name: 'status',
            label: t('words.status'),
            any: t('words.anyStatus'),
            options: choices.map(({ value }) => ({ value, label: labelOf(value) })),
          },
        ]}
        columns={[
          { name: 'name', header: t('form.name'), cell: nameOf },
          ...columns,
          statusColumn<Row>(t('words.status'), ({ status }) => status),
          { name: 'reason', header: t('words.reason'), cell: ({ status_reason }) => status_reason ?? '' },
          timeColumn<Row>('created', t('words.created'), ({ created_at }) => created_at),
        ]}
        nameOf={nameOf}
        links={(row) =>
          canChange(row) && <Menu.Item onClick={() => setChanging(row)}>{t('change')}</Menu.Item>
        }
      />
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
