import type { Field } from '@reachout/contract/content.ts';
import { useTranslation } from 'react-i18next';
import { valueText } from '#web/ui/value-text.ts';
import { useFormat } from '#web/i18n/format.ts';

/** A stored value as its reader writes it. */
export function useFieldText(): (field: Pick<Field, 'type'>, value: unknown) => string {
  const { t } = useTranslation(['audiences', 'common']);
  const format = useFormat();
  return ({ type }, value) => {
    if (value === null || value === undefined || value === '') return t('common:none');
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (typeof value === 'number') return format.number(value);
    if (type === 'csv' && Array.isArray(value))
      return value.length === 0 ? t('common:none') : value.map(valueText).join(', ');
    if (typeof value === 'object') return JSON.stringify(value);
    const text = value as string;
    if (type === 'date') return format.date(text);
    return type === 'timestamp' ? format.dateTime(text) : text;
  };
}
