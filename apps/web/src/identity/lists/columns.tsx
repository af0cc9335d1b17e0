import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { RowName } from '#web/ui/row-name.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';

type More<Row> = Partial<Omit<ListColumn<Row>, 'name' | 'header' | 'cell'>>;

interface NameCell<Row> extends More<Row> {
  /** In stored choices of columns; `name` by default. */
  name?: string;
  header: string;
  /** Its link, or its words alone. */
  cell: (row: Row) => ReactNode;
  picture?: (row: Row) => ReactNode;
}

/** The first column, which names the record of a row. */
export const nameColumn = <Row,>({ cell, picture, ...more }: NameCell<Row>): ListColumn<Row> => ({
  name: 'name',
  ...more,
  cell: (row) => <RowName picture={picture?.(row)}>{cell(row)}</RowName>,
});

/** A text in one line, cut off where there is no room. */
export const textColumn = <Row,>(
  name: string,
  header: string,
  textOf: (row: Row) => string | null,
  more: More<Row> = {},
): ListColumn<Row> => ({ name, header, cell: (row) => <CutText text={textOf(row)} />, ...more });

/** A text in as many lines as it needs. */
export const wordsColumn = <Row,>(
  name: string,
  header: string,
  textOf: (row: Row) => string,
  more: More<Row> = {},
): ListColumn<Row> => ({
  name,
  header,
  cell: (row) => <span className="break">{textOf(row)}</span>,
  ...more,
});

/** One of a few kinds. */
export const badgeColumn = <Row,>(
  name: string,
  header: string,
  kindOf: (row: Row) => string,
): ListColumn<Row> => ({
  name,
  header,
  cell: (row) => (
    <Badge color="gray" className="status-badge">
      {kindOf(row)}
    </Badge>
  ),
});

export const countColumn = <Row,>(
  name: string,
  header: string,
  countOf: (row: Row) => number | null,
  more: More<Row> = {},
): ListColumn<Row> => ({
  name,
  header,
  align: 'end',
  cell: (row) => <Count value={countOf(row)} />,
  ...more,
});

export const timeColumn = <Row,>(
  name: string,
  header: string,
  timeOf: (row: Row) => string | null,
  { as, none = <Nothing />, ...more }: More<Row> & { as?: 'date' | 'dateTime'; none?: ReactNode } = {},
): ListColumn<Row> => ({
  name,
  header,
  cell: (row) => {
    const at = timeOf(row);
    return at === null ? none : <Time at={at} {...(as ? { as } : {})} />;
  },
  ...more,
});

/** When a record was last changed: the latest first, and hidden where there is no room. */
export const updatedColumn = <Row extends { updated_at: string }>(
  header: string,
  more: More<Row> = {},
): ListColumn<Row> =>
  timeColumn('updated_at', header, ({ updated_at }) => updated_at, {
    sort: 'updated_at',
    isDescendingFirst: true,
    ...more,
  });

export const statusColumn = <Row,>(
  header: string,
  statusOf: (row: Row) => string,
  more: More<Row> = {},
): ListColumn<Row> => ({
  name: 'status',
  header,
  cell: (row) => <StatusBadge status={statusOf(row)} />,
  ...more,
});

function CutText({ text }: { text: string | null }) {
  return text === null || text === '' ? (
    <Nothing />
  ) : (
    <span className="cut-line" title={text}>
      {text}
    </span>
  );
}

function Count({ value }: { value: number | null }) {
  const format = useFormat();
  return value === null ? <Nothing /> : format.number(value);
}

export function Nothing() {
  const { t } = useTranslation();
  return <span className="nothing">{t('none')}</span>;
}
