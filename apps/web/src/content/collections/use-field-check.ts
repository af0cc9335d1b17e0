import type { Field } from '@reachout/contract/content-fields.ts';
import { useTranslation } from 'react-i18next';
import { parseJson, type FieldValue } from './item-values.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @returns a function that validates the value of a field before it is sent; the server has the final say */
export function useFieldCheck(): (field: Field, value: FieldValue | undefined) => string | null {
  const { t } = useTranslation(['collections', 'common']);
  return (field, value) => {
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (isEmpty) return field.required && field.type !== 'boolean' ? t('common:form.required') : null;
    if (typeof value !== 'string') return null;
    if (field.type === 'json' && parseJson(value) === undefined) return t('check.json');
    if (field.type === 'uuid' && !uuid.test(value.trim())) return t('check.uuid');
    return null;
  };
}
