import { Alert, Checkbox, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import type { Field } from '@reachout/contract/content-fields.ts';
import { useTranslation } from 'react-i18next';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { FieldInput } from './field-input.tsx';
import { canBeUnique, fieldKinds, kindOfField, settingsOfKind, type FieldKind } from './field-kind.ts';
import { useFieldEffects } from './field-effects.ts';
import { useFieldForm } from './use-field-form.ts';

interface Props {
  collection: string;
  fields: readonly Field[];
  /** The field to change; undefined to add one. */
  field?: Field | undefined;
  onClose: () => void;
}

/** Adds or changes a field; explains the effects on stored items beforehand. Mount it to open it. */
export function FieldDrawer({ collection, fields, field, onClose }: Props) {
  const { t } = useTranslation(['collections', 'common']);
  const { form, suggestName } = useFieldForm({ collection, fields, field }, onClose);
  const values = form.fields.getValues();
  const effects = useFieldEffects(collection, field, values);
  const offered = fieldKinds.filter((kind) => kind !== 'csv' || (field && kindOfField(field) === 'csv'));
  return (
    <FormDrawer
      onClose={onClose}
      title={t(field ? 'fieldForm.edit' : 'fieldForm.add')}
      form={form}
      submitLabel={t(field ? 'common:actions.save' : 'fieldForm.add')}
    >
      <TextInput
        data-autofocus
        label={t('form.name')}
        {...form.fields.getInputProps('label')}
        onChange={(event) => suggestName(event.currentTarget.value)}
      />
      <TextInput
        label={t('fieldForm.name')}
        description={t(field ? 'fieldForm.nameStays' : 'fieldForm.nameHint')}
        readOnly={field !== undefined}
        {...form.fields.getInputProps('field')}
      />
      <Select
        label={t('fieldForm.kind')}
        allowDeselect={false}
        data={offered.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
        {...form.fields.getInputProps('kind')}
        onChange={(kind) => {
          form.fields.setFieldValue('kind', kind as FieldKind);
          // The default value of one kind is not valid for another.
          form.fields.setFieldValue('default_value', kind === 'boolean' ? false : kind === 'tags' ? [] : '');
        }}
      />
      {values.kind === 'select' && (
        <TagsInput
          label={t('fieldForm.choices')}
          description={t('listHint')}
          acceptValueOnBlur
          {...form.fields.getInputProps('choices')}
        />
      )}
      <Stack gap="sm">
        <Checkbox
          label={t('fieldForm.required')}
          description={effects.requiredHint}
          {...form.fields.getInputProps('required', { type: 'checkbox' })}
        />
        {canBeUnique(values.kind) && (
          <Checkbox
            label={t('fieldForm.unique')}
            description={t('fieldForm.uniqueHint')}
            {...form.fields.getInputProps('unique', { type: 'checkbox' })}
          />
        )}
        <Checkbox
          label={t('fieldForm.hidden')}
          description={t('fieldForm.hiddenHint')}
          {...form.fields.getInputProps('hidden', { type: 'checkbox' })}
        />
      </Stack>
      {!values.unique && values.kind !== 'json' && (
        <FieldInput
          key={values.kind}
          field={{
            ...settingsOfKind(values.kind),
            choices: values.choices,
            field: 'default_value',
            required: false,
          }}
          name={t('fieldForm.default')}
          input={form.fields.getInputProps('default_value', {
            type: values.kind === 'boolean' ? 'checkbox' : 'input',
          })}
        />
      )}
      {effects.lines.length > 0 && (
        <Alert color="yellow" role="status" title={t('effects.title')}>
          <ul className="plain-list">
            {effects.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Alert>
      )}
    </FormDrawer>
  );
}
