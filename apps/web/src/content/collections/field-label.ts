import type { Field } from '@reachout/contract/content.ts';
import { useTranslation } from 'react-i18next';
import { collections } from '#web/i18n/en/collections.ts';

type Known = keyof (typeof collections)['fields'];

/** Fields that the platform has names for; others go by their own label, or by their name. */
export function useFieldLabel(): (field: Pick<Field, 'field' | 'label'>) => string {
  const { t } = useTranslation('collections');
  return ({ field, label }) => {
    if (label !== null) return label;
    return isKnown(field) ? t(`fields.${field}`) : field;
  };
}

const isKnown = (field: string): field is Known => Object.hasOwn(collections.fields, field);
