import { UnstyledButton } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import type { Item } from '@reachout/contract/content.ts';
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { CellEditor } from './cell-editor.tsx';
import { isImageFile } from './field-kind.ts';
import classes from './item-cell.module.css';

interface Props {
  collection: string;
  field: Field;
  item: Item;
  /** Header of its column. */
  name: string;
  /** The formatted value. */
  text: string;
}

/** A value in a list of items that is edited in place. */
export function ItemCell({ collection, field, item, name, text }: Props) {
  const { t } = useTranslation('collections');
  const [isEditing, setEditing] = useState(false);
  const cell = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  // The button is remounted when the editor opens and again when it closes. If the user has moved the focus during the save,
  // it stays there.
  useLayoutEffect(() => {
    if (wasEditing.current && !isEditing && document.activeElement === document.body) cell.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const button = (
    <UnstyledButton
      ref={cell}
      data-cell
      // Reached with the arrow keys: a tab stop at each cell would make the page tedious to tab through.
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

/** JSON values and images are edited in the form. */
export const isEditableInPlace = (field: Field): boolean =>
  !field.readonly && field.field !== 'id' && field.type !== 'json' && !isImageFile(field);

const steps: Record<string, readonly [rows: number, cells: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Arrow keys move between cells, starting at the name of a row; for `onKeyDown` of the table's container. */
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

const stops = '[data-cell]';
