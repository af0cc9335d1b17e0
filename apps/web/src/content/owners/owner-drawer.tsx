import { TextInput } from '@mantine/core';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import { useTranslation } from 'react-i18next';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { OwnerChoice } from './owner-choice.tsx';
import { ownerKey, ownerOf } from './owner-key.ts';

interface Props {
  title: string;
  label: string;
  submitLabel: string;
  initial: Owner & { name: string };
  submit: (values: Owner & { name: string }) => Promise<unknown>;
  onClose: () => void;
}

/** Name and owner of a new or existing record. Mount it to open it. */
export function OwnerDrawer({ title, label, submitLabel, initial, submit, onClose }: Props) {
  const { t } = useTranslation();
  const checkName = useNameCheck();
  const form = useServerForm({
    initial: { name: initial.name, client_id: ownerKey(initial) },
    checks: { name: checkName },
    fieldOfCode: { name_taken: 'name', owner_in_use: 'client_id' },
    submit: async ({ name, client_id }) => {
      await submit({ name: name.trim(), ...ownerOf(client_id) });
      onClose();
    },
  });
  return (
    <FormDrawer isSmall opened onClose={onClose} title={title} form={form} submitLabel={submitLabel}>
      <TextInput data-autofocus label={label} {...form.fields.getInputProps('name')} />
      <OwnerChoice
        value={form.fields.getValues().client_id}
        onChange={(key) => form.fields.setFieldValue('client_id', key)}
        description={t('owner.hint')}
        error={form.fields.errors['client_id']}
      />
    </FormDrawer>
  );
}
