import { UnstyledButton } from '@mantine/core';
import type { Field, Item } from '@reachout/contract/content.ts';
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { CellEditor } from './cell-editor.tsx';
import { isImageFile } from './field-kind.ts';
import classes from './item-cell.module.css';

interface Props {
  collection: string;
  field: Field;
  item: Item;
  /** The header of its column. */
  name: string;
  /** The value as it is shown. */
  text: string;
}

/** A value in a list of items that is changed in place. */
export function ItemCell({ collection, field, item, name, text }: Props) {
  const { t } = useTranslation('collections');
  const [isEditing, setEditing] = useState(false);
  const cell = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  // The button is another one once the editor is around it, and again when it has gone. Whoever went on while it was being
  // saved stays where they are.
  useLayoutEffect(() => {
    if (wasEditing.current && !isEditing && document.activeElement === document.body) cell.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const button = (
    <UnstyledButton
      ref={cell}
      data-cell
      // The arrow keys lead here: a stop at each cell would be a long way through the page.
      tabIndex={-1}
      className={classes.cell}
      aria-label={t('cell.value', { field: name, value: text })}
      title={text}
      onClick={() => setEditing(true)}
    >
      {text}
    </UnstyledButton>
  );
  if (!isEditing) return button;
  return (
    <CellEditor collection={collection} field={field} item={item} onClose={() => setEditing(false)}>
      {button}
    </CellEditor>
  );
}

/** Long structures and images are edited in the form. */
export const isEditableInPlace = (field: Field): boolean =>
  !field.readonly && field.field !== 'id' && field.type !== 'json' && !isImageFile(field);

const steps: Record<string, readonly [rows: number, cells: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The arrow keys go from cell to cell, beginning at the name of a row; for `onKeyDown` of what the table is in. */
export function walkCells(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  const { target, currentTarget } = event;
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!(target instanceof HTMLElement) || !target.matches(stops)) return;
  const rows = [...currentTarget.querySelectorAll('tbody tr')].map((row) => [
    ...row.querySelectorAll<HTMLElement>(stops),
  ]);
  const row = rows.findIndex((cells) => cells.includes(target));
  const next = rows[row + step[0]]?.[(rows[row]?.indexOf(target) ?? -1) + step[1]];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

const stops = 'th[scope=row] .row-button, [data-cell]';
