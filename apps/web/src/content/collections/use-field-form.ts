import type { Field } from '@reachout/contract/content-fields.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { newFieldName } from '#web/content/collections/field-name.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { notify } from '#web/ui/notify.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { useFieldLabel } from './field-label.ts';
import { canBeUnique, kindOfField, settingsOfKind, type FieldKind } from './field-kind.ts';
import { toFieldValue, toStoredValue, type FieldValue } from './item-values.ts';

// A type alias, because an interface has no implicit index signature, which forms require.
export type FieldFormValues = {
  label: string;
  field: string;
  kind: FieldKind;
  choices: string[];
  required: boolean;
  unique: boolean;
  hidden: boolean;
  default_value: FieldValue;
};

interface Options {
  collection: string;
  fields: readonly Field[];
  field: Field | undefined;
}

/**
 * The form of a field: adds it, or sends the edited settings. By hand: a kind stands for several inputs, and a default value is
 * as its kind.
 */
export function useFieldForm({ collection, fields, field }: Options, onSaved: () => void) {
  const { t } = useTranslation(['collections', 'common']);
  const { api, orgId } = useOrganization();
  const checkName = useNameCheck();
  const labelOf = useFieldLabel();
  const create = useMutation(api.content.createField.mutationOptions());
  const update = useMutation(api.content.updateField.mutationOptions());
  const initial = toValues(field, field ? labelOf(field) : '');
  const form = useServerForm<FieldFormValues>({
    initial,
    limits: { field: boundsOf('content.createField').field.max },
    checks: {
      label: checkName,
      field: (name) => (/^[a-z][a-z0-9_]{0,62}$/.test(name) ? null : t('fieldForm.nameRule')),
      choices: (choices, { kind }) =>
        kind === 'select' && choices.length === 0 ? t('common:form.required') : null,
    },
    fieldOfCode: {
      name_taken: 'field',
      values_do_not_fit: 'kind',
      too_many_values: 'kind',
      field_in_use: 'kind',
      field_protected: 'kind',
    },
    submit: async (values) => {
      const place = { organization_id: orgId, collection, field: values.field };
      if (field === undefined) await create.mutateAsync({ ...place, ...toSettings(values) });
      else await update.mutateAsync({ ...place, ...changesOf(toSettings(initial), toSettings(values)) });
      notify(t('fieldForm.saved'));
      onSaved();
    },
  });
  return {
    form,
    /** Derives the technical name from the label until the user edits it. */
    suggestName: (label: string) => {
      const { field: name, label: before } = form.fields.getValues();
      const taken = fields.map((each) => each.field);
      form.fields.setFieldValue('label', label);
      if (field === undefined && (name === '' || name === newFieldName(before, taken)))
        form.fields.setFieldValue('field', label.trim() === '' ? '' : newFieldName(label, taken));
    },
  };
}

const toValues = (field: Field | undefined, label: string): FieldFormValues => ({
  label,
  field: field?.field ?? '',
  kind: field ? kindOfField(field) : 'string',
  choices: field?.choices ?? [],
  required: field?.required ?? false,
  unique: field?.unique ?? false,
  hidden: field?.hidden ?? false,
  default_value: toFieldValue(field ?? { type: 'string' }, field?.default_value),
});

/** The settings in the server's format, without those that the kind does not have. */
function toSettings({ label, kind, choices, required, unique, hidden, default_value }: FieldFormValues) {
  const settings = settingsOfKind(kind);
  const isUnique = unique && canBeUnique(kind);
  const isUnset = isUnique || kind === 'json' || (kind === 'boolean' && default_value === false);
  return {
    ...settings,
    label: label.trim(),
    choices: kind === 'select' ? choices : null,
    required,
    unique: isUnique,
    hidden,
    default_value: isUnset ? null : toStoredValue(settings, default_value),
  };
}

type Settings = ReturnType<typeof toSettings>;

const changesOf = (before: Settings, after: Settings): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Settings]),
    ),
  );
