import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { useNameRule } from './use-name-rule.ts';

interface Props {
  title: string;
  taken: readonly string[];
  /** Opens the empty form of the entry; it is stored when that is saved. */
  onName: (name: string) => Promise<void>;
  onClose: () => void;
}

/**
 * Asks for the name of a new page or question, which its address contains. By hand: nothing is sent yet.
 */
export function NewEntryForm({ title, taken, onName, onClose }: Props) {
  const { t } = useTranslation('helpEditor');
  const form = useServerForm({
    initial: { name: '' },
    checks: { name: useNameRule(taken) },
    submit: ({ name }) => onName(name.trim()),
  });
  return (
    <FormDrawer isSmall onClose={onClose} title={title} form={form} submitLabel={t('actions.continue')}>
      <TextInput label={t('name')} description={t('nameHint')} {...form.fields.getInputProps('name')} />
    </FormDrawer>
  );
}
