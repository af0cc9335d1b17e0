import { UnstyledButton } from '@mantine/core';
import type { Field, Item } from '@reachout/contract/content.ts';
import type { SubscriptionSummary } from '@reachout/contract/consent.ts';
import { useTranslation } from 'react-i18next';
import type { Format } from '#web/i18n/format.ts';
import type { Column } from '#web/ui/data-table.tsx';
import { SubscriptionBadge } from '#web/content/consent/subscription-badge.tsx';
import { consentField, hasSubscriptions } from '#web/content/consent/subscription-queries.ts';
import { valueText } from '#web/ui/value-text.ts';
import { byImportance } from './field-order.ts';

/** Without an item a new one is made. */
export interface Editing {
  item?: Item;
}

type Translate = ReturnType<typeof useTranslation<['collections', 'common', 'consent']>>['t'];

interface More {
  /** Of contacts, by their ids: empty while they are loading; undefined where there are none to be seen. */
  summaries: ReadonlyMap<string, SubscriptionSummary> | undefined;
  onOpen: ((editing: Editing) => void) | undefined;
}

export function columnsOf(
  fields: readonly Field[],
  format: Format,
  t: Translate,
  { summaries, onOpen }: More,
): Column<Item>[] {
  const columns = fields
    .filter(({ field }) => !(hasSubscriptions(fields) && field === consentField))
    .toSorted(byImportance)
    .map((field, place): Column<Item> => ({
      header: field.field,
      sort: field.field,
      ...(isNumber(field) ? { align: 'end' } : {}),
      cell: (item) => {
        const text = cellText(item[field.field], field, format, t);
        return place === 0 && onOpen ? (
          <UnstyledButton className="row-button" onClick={() => onOpen({ item })}>
            {text}
          </UnstyledButton>
        ) : (
          text
        );
      },
    }));
  if (summaries === undefined) return columns;
  const subscription: Column<Item> = {
    header: t('consent:title'),
    cell: (item) => {
      const summary = summaries.get(valueText(item['id']));
      return summary === undefined ? t('common:none') : <SubscriptionBadge summary={summary} />;
    },
  };
  return columns.toSpliced(1, 0, subscription);
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
