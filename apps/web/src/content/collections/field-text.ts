import type { Field } from '@reachout/contract/content-fields.ts';
import { useTranslation } from 'react-i18next';
import { valueText } from '#web/ui/value-text.ts';
import { useFormat } from '#web/i18n/format.ts';

const withoutZone = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/;

/** @returns a function that formats a stored value for the user */
export function useFieldText(): (field: Pick<Field, 'type'>, value: unknown) => string {
  const { t } = useTranslation(['audiences', 'common']);
  const format = useFormat();
  return ({ type }, value) => {
    if (value === null || value === undefined || value === '') return t('common:none');
    if (typeof value === 'boolean') return t(value ? 'words.yes' : 'words.no');
    // Years, customer numbers and postal codes are integers too, so these are not formatted.
    if (typeof value === 'number') return type === 'integer' ? String(value) : format.exact(value);
    if (type === 'csv' && Array.isArray(value))
      return value.length === 0 ? t('common:none') : value.map(valueText).join(', ');
    if (typeof value === 'object') return JSON.stringify(value);
    const text = value as string;
    if (type === 'timestamp') return format.dateTime(text);
    return withoutZone.test(text) && (type === 'date' || type === 'dateTime')
      ? format.withoutZone(text)
      : text;
  };
}
