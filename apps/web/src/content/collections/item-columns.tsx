import { UnstyledButton } from '@mantine/core';
import type { Field, Item } from '@reachout/contract/content.ts';
import { useTranslation } from 'react-i18next';
import type { Format } from '#web/i18n/format.ts';
import type { Column } from '#web/ui/data-table.tsx';
import { byImportance } from './field-order.ts';

/** Without an item a new one is made. */
export interface Editing {
  item?: Item;
}

type Translate = ReturnType<typeof useTranslation<['collections', 'common']>>['t'];

export function columnsOf(
  fields: readonly Field[],
  format: Format,
  t: Translate,
  onEdit: ((editing: Editing) => void) | undefined,
): Column<Item>[] {
  return fields.toSorted(byImportance).map((field, place) => ({
    header: field.field,
    sort: field.field,
    ...(isNumber(field) ? { align: 'end' as const } : {}),
    cell: (item) => {
      const text = cellText(item[field.field], field, format, t);
      return place === 0 && onEdit ? (
        <UnstyledButton className="row-button" onClick={() => onEdit({ item })}>
          {text}
        </UnstyledButton>
      ) : (
        text
      );
    },
  }));
}

const isNumber = (field: Field) => ['integer', 'bigInteger', 'float', 'decimal'].includes(field.type);

function cellText(value: unknown, field: Field, format: Format, t: Translate): string {
  if (value === null || value === undefined || value === '') return t('common:none');
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'number') return format.number(value);
  if (typeof value === 'object') return JSON.stringify(value);
  const text = value as string;
  if (field.type === 'date') return format.date(text);
  return field.type === 'timestamp' ? format.dateTime(text) : text;
}
