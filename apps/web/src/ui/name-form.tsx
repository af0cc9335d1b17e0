import { Button, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useServerForm } from './use-server-form.ts';
import { ActionError } from './states.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import { useNameCheck } from './use-name-check.ts';
import { ValueList } from './value-list.tsx';

interface Props {
  label: string;
  name: string;
  canChange: boolean;
  rename: (name: string) => Promise<unknown>;
}

/** The name of a record on its settings page; text where it cannot be changed. */
export function NameForm({ label, name, canChange, rename }: Props) {
  const { t } = useTranslation();
  const checkName = useNameCheck();
  const form = useServerForm({
    initial: { name },
    checks: { name: checkName },
    submit: async (values) => {
      await rename(values.name.trim());
      form.fields.resetDirty(values);
    },
  });
  const dirty = form.fields.isDirty();
  if (!canChange) return <ValueList values={[{ name: label, value: name }]} />;
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <UnsavedGuard dirty={dirty} saving={form.pending} onSave={form.save} />
      <Stack gap="md" align="flex-start">
        <TextInput w="100%" label={label} maxLength={120} {...form.fields.getInputProps('name')} />
        <ActionError error={form.error} title={t('error.saveFailed')} />
        <Button type="submit" loading={form.pending} variant={dirty ? 'filled' : 'default'}>
          {t('actions.save')}
        </Button>
      </Stack>
    </form>
  );
}
