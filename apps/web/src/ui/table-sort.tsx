import { Button, Group, NativeSelect, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './data-table.module.css';

interface Props {
  /** `name.asc`, as in the URL and the request. */
  order: string | undefined;
  onOrder: (order: string) => void;
}

/** Sort order of a table that is shown as cards, whose headers are hidden. */
export function SortSelect({
  columns,
  order,
  onOrder,
}: Props & { columns: readonly { header: string; sort?: string; isDescendingFirst?: boolean }[] }) {
  const { t } = useTranslation();
  const { by, opposite, Arrow } = partsOf(order);
  const sortable = columns.flatMap(({ sort, header }) =>
    sort === undefined ? [] : { value: sort, label: header },
  );
  if (sortable.length === 0) return null;
  const isChosen = sortable.some(({ value }) => value === by);
  return (
    <Group className={classes.narrowSort} gap="xs" align="end" mb="sm">
      <NativeSelect
        label={t('table.sortBy')}
        value={isChosen ? by : ''}
        data={isChosen ? sortable : [{ value: '', label: t('table.defaultOrder') }, ...sortable]}
        onChange={({ currentTarget: { value } }) => {
          const next = columns.find(({ sort }) => sort === value);
          onOrder(`${value}.${next?.isDescendingFirst ? 'desc' : 'asc'}`);
        }}
      />
      {isChosen && (
        <Button aria-label={t('table.direction')} onClick={() => onOrder(`${by}.${opposite}`)}>
          <Arrow size={16} className="thick-icon" />
        </Button>
      )}
    </Group>
  );
}

/** Column header that sorts its table. */
export function SortButton(props: Props & { header: string; sort: string; isDescendingFirst?: boolean }) {
  const { header, sort, isDescendingFirst, order, onOrder } = props;
  const { by, opposite, Arrow } = partsOf(order);
  const next = sort === by ? opposite : isDescendingFirst ? 'desc' : 'asc';
  return (
    <UnstyledButton className={classes.sort} onClick={() => onOrder(`${sort}.${next}`)}>
      {header}
      {sort === by ? (
        <Arrow size={14} className="thick-icon" aria-hidden />
      ) : (
        <IconArrowsSort size={14} className={classes.idleMark} aria-hidden />
      )}
    </UnstyledButton>
  );
}

export function ariaSort(sort: string | undefined, order: string | undefined) {
  const { by, direction } = partsOf(order);
  if (sort === undefined) return undefined;
  if (sort !== by) return 'none';
  return direction === 'asc' ? 'ascending' : 'descending';
}

function partsOf(order = '') {
  const [by = '', direction = 'asc'] = order.split('.');
  const isAscending = direction === 'asc';
  return {
    by,
    direction,
    opposite: isAscending ? 'desc' : 'asc',
    Arrow: isAscending ? IconArrowUp : IconArrowDown,
  };
}
