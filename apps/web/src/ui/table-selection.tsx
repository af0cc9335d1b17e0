/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- as in table-body.tsx */
import { Checkbox } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Selection } from './selection.ts';
import classes from './data-table.module.css';

/** Header of the check box column. */
export function SelectAll<T>({ selection }: { selection: Selection<T> }) {
  const { t } = useTranslation();
  const box = useId();
  return (
    <th role="columnheader" scope="col" className={classes.check}>
      <label htmlFor={box} className={classes.checkArea}>
        <Checkbox
          id={box}
          size="xs"
          aria-label={t('table.selectAll')}
          checked={selection.isAll}
          indeterminate={!selection.isAll && selection.rows.length > 0}
          onChange={selection.toggleAll}
        />
      </label>
    </th>
  );
}

/** The check box of a row. With Shift, all rows since the previously selected one are selected. */
export function SelectRow<T>({ selection, row, id }: { selection: Selection<T>; row: T; id: string }) {
  const { t } = useTranslation();
  const box = useId();
  const { canSelect, isSelected, nameOf, toggle } = selection;
  return (
    <td role="cell" className={classes.check}>
      {canSelect(row) && (
        <label htmlFor={box} className={classes.checkArea}>
          <Checkbox
            id={box}
            size="xs"
            data-select
            aria-label={t('table.select', { name: nameOf(row) })}
            checked={isSelected(id)}
            onChange={({ nativeEvent }) =>
              toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </label>
      )}
    </td>
  );
}
