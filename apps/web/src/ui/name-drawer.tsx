import { TextInput } from '@mantine/core';
import { FormDrawer } from './form-drawer.tsx';
import { useServerForm } from './use-server-form.ts';
import { notify } from './notify.tsx';
import { useNameCheck } from './use-name-check.ts';

interface Props {
  title: string;
  label: string;
  description?: string;
  submitLabel: string;
  initial?: string;
  /** Notification after success. */
  done?: string;
  submit: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Creates or renames a record that only needs a name. Mount it to open it. */
export function NameDrawer({
  title,
  label,
  description,
  submitLabel,
  initial = '',
  done,
  submit,
  onClose,
}: Props) {
  const checkName = useNameCheck();
  const form = useServerForm({
    initial: { name: initial },
    checks: { name: checkName },
    fieldOfCode: { name_taken: 'name' },
    submit: async ({ name }) => {
      await submit(name.trim());
      onClose();
      if (done !== undefined) notify(done);
    },
  });
  return (
    <FormDrawer isSmall opened onClose={onClose} title={title} form={form} submitLabel={submitLabel}>
      <TextInput
        data-autofocus
        label={label}
        description={description}
        {...form.fields.getInputProps('name')}
      />
    </FormDrawer>
  );
}
