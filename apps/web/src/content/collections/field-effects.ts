import type { Field } from '@reachout/contract/content-fields.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { kindOfField } from './field-kind.ts';
import type { FieldFormValues } from './use-field-form.ts';

/** Number of items, and of those with a value in `field`; 0 without a field. */
export const filledQuery = ({ api, orgId }: OrganizationContext, collection: string, field?: string) =>
  api.content.items.queryOptions({
    input: {
      organization_id: orgId,
      collection,
      filter: JSON.stringify({ [field ?? 'id']: { [field === undefined ? '_null' : '_nnull']: true } }),
      limit: 0,
    },
    select: ({ meta }) => ({ items: meta.total_count, filled: meta.filter_count }),
  });

/** The effects of a field change on stored items, with exact counts; empty until these are loaded. */
export function useFieldEffects(
  collection: string,
  field: Field | undefined,
  { kind, choices, required, unique, default_value }: FieldFormValues,
): { lines: string[]; requiredHint: string } {
  const { t } = useTranslation('collections');
  const { data } = useQuery(filledQuery(useOrganization(), collection, field?.field));
  const requiredHint = t('fieldForm.requiredHint');
  if (data === undefined || data.items === 0) return { lines: [], requiredHint };
  const missing = data.items - data.filled;
  const lines: string[] = [];
  if (field && kind !== kindOfField(field) && data.filled > 0)
    lines.push(t('effects.converted', { count: data.filled }));
  if (required && !field?.required && missing > 0) lines.push(t('effects.missing', { count: missing }));
  if (unique && !field?.unique && data.filled > 0) lines.push(t('effects.unique', { count: data.filled }));
  const removed = (field?.choices ?? []).filter((choice) => !choices.includes(choice));
  if (kind === 'select' && removed.length > 0) lines.push(t('effects.choices', { count: data.filled }));
  const hasDefault = default_value !== '' && default_value !== false;
  if (hasDefault && missing > 0 && JSON.stringify(default_value) !== JSON.stringify(field?.default_value))
    lines.push(t('effects.default', { count: missing }));
  return { lines, requiredHint };
}
