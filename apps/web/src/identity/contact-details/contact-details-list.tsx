// By hand: a person, an organization and a client have the same list with operations of their own.
import { Menu, UnstyledButton } from '@mantine/core';
import { IconPlus, type Icon } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { changes } from '#web/platform/query-client.ts';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { notify } from '#web/ui/notify.tsx';
import { DisabledWithTooltip } from '#web/ui/disabled-with-tooltip.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { RowsSkeleton } from '#web/ui/skeletons.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useDeletedRows } from '#web/ui/deletion.ts';
import type { ContactDetailsOperations, ContactDetailsProps, DetailsFormProps } from './contact-details.ts';

interface Props<Row, Values> extends ContactDetailsProps<
  Row,
  Omit<ContactDetailsOperations<Values>, 'restore'>
> {
  /** Selects the texts of this kind. */
  kind: 'address' | 'contact' | 'social';
  icon: Icon;
  /** Sort order; the order of the response if omitted. */
  sort?: (one: Row, other: Row) => number;
  /** Name of a row in its menu and after its deletion. */
  name: (row: Row) => string;
  /** The first column, which opens the form if rows can be changed. */
  first: { header: string; cell: (row: Row) => string };
  columns: Column<Row>[];
  undo: (row: Row) => Promise<unknown>;
  form: (props: DetailsFormProps<Row, Values>) => ReactNode;
}

/** Rows that users add, change and delete. A deletion needs no confirmation and leaves a line with Undo. */
export function ContactDetailsList<Row extends { id: string }, Values>({
  kind,
  icon,
  query,
  operations,
  owner,
  denialReason,
  canEver = true,
  purpose,
  sort,
  name,
  first,
  columns,
  undo,
  form,
}: Props<Row, Values>) {
  const { t } = useTranslation(['contactDetails', 'common']);
  const noun = t(`${kind}.noun`);
  const list = t(`${kind}.list`);
  const [open, setOpen] = useState<Row | 'new'>();
  const canChange = denialReason === undefined;
  const row = typeof open === 'object' ? open : undefined;
  const saving = useMutation({
    ...changes(owner),
    mutationFn: (values: Values) =>
      row ? operations.update({ ...values, id: row.id }) : operations.create(values),
    onSuccess: () => {
      setOpen(undefined);
      notify(t(row ? 'changed' : 'added', { noun }));
    },
  });
  const deletion = useDeletedRows<Row>({
    remove: { ...changes(owner), mutationFn: ({ id }) => operations.delete({ id }) },
    restore: { ...changes(owner), mutationFn: undo },
  });

  const add = (
    <DisabledWithTooltip
      variant="filled"
      reason={denialReason}
      leftSection={<IconPlus size={16} />}
      onClick={() => setOpen('new')}
    >
      {t('add', { noun })}
    </DisabledWithTooltip>
  );
  const opener: Column<Row> = {
    header: first.header,
    cell: (shown) =>
      canChange ? (
        <UnstyledButton className="row-button" onClick={() => setOpen(shown)}>
          {first.cell(shown)}
        </UnstyledButton>
      ) : (
        first.cell(shown)
      ),
  };
  const rowMenu = (shown: Row, index: number) => (
    <RowMenu name={name(shown)}>
      <Menu.Item onClick={() => setOpen(shown)}>{t('common:actions.edit')}</Menu.Item>
      <DeleteItem
        onClick={() =>
          deletion.remove({
            id: shown.id,
            name: t(`${kind}.one`, { name: name(shown) }),
            index,
            input: shown,
          })
        }
      />
    </RowMenu>
  );
  return (
    <>
      <ListPage
        query={query}
        what={t('records.what', { records: list })}
        actions={canEver && add}
        empty={
          <EmptyState
            icon={icon}
            title={t('records.empty.title', { records: list })}
            actions={canChange ? add : undefined}
            text={
              <>
                {purpose}
                {denialReason !== undefined && <div>{denialReason}</div>}
              </>
            }
          />
        }
        deletion={deletion}
        skeleton={<RowsSkeleton rows={3} />}
      >
        {(table) => (
          <DataTable
            {...table}
            label={list}
            columns={[opener, ...columns]}
            rows={sort ? table.rows.toSorted(sort) : table.rows}
            rowActions={canChange ? rowMenu : undefined}
          />
        )}
      </ListPage>
      {open !== undefined &&
        form({
          row,
          submit: saving.mutateAsync,
          drawer: {
            opened: true,
            onClose: () => setOpen(undefined),
            title: t(row ? 'change' : 'add', { noun }),
            submitLabel: row ? t('common:actions.save') : t('add', { noun }),
          },
        })}
    </>
  );
}
