import { TextInput } from '@mantine/core';
import { SaveBarForm } from './save-bar-form.tsx';
import { useNameCheck } from './use-name-check.ts';
import { useServerForm } from './use-server-form.ts';
import { ValueList } from './value-list.tsx';

interface Props {
  label: string;
  name: string;
  canChange: boolean;
  rename: (name: string) => Promise<unknown>;
}

/** The name of a record on its settings page; read-only text if it cannot be changed. */
export function NameForm({ label, name, canChange, rename }: Props) {
  const checkName = useNameCheck();
  const form = useServerForm({
    initial: { name },
    checks: { name: checkName },
    submit: async (values) => {
      const saved = { name: values.name.trim() };
      await rename(saved.name);
      form.setSaved(saved);
    },
  });
  if (!canChange) return <ValueList values={[{ name: label, value: name }]} />;
  return (
    <SaveBarForm form={form}>
      <TextInput label={label} {...form.fields.getInputProps('name')} />
    </SaveBarForm>
  );
}
