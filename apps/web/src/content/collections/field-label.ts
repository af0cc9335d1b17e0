import type { Field } from '@reachout/contract/content-fields.ts';
import { useTranslation } from 'react-i18next';
import { fields } from '#web/i18n/en/fields.ts';

type Known = keyof (typeof fields)['names'];

/** @returns a function that names a field: translated if the platform knows it, otherwise its label or its name */
export function useFieldLabel(): (field: Pick<Field, 'field' | 'label'>) => string {
  const { t } = useTranslation('fields');
  return ({ field, label }) => {
    if (label !== null) return label;
    return isKnown(field) ? t(`names.${field}`) : field;
  };
}

const isKnown = (field: string): field is Known => Object.hasOwn(fields.names, field);
