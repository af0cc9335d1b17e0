import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useServerForm, type ServerForm } from '#web/ui/use-server-form.ts';
import { useWait, WaitNotice, type Wait } from '#web/identity/auth/wait-notice.tsx';

// The form is written by hand: a code is tried, and not stored.

export interface FactorCodeForm extends ServerForm<{ code: string }> {
  wait: Wait;
}

/** A form with one code; a wrong code is a field error, and too many attempts start a countdown. */
export function useFactorCodeForm(submit: (code: string) => Promise<void>): FactorCodeForm {
  const { t } = useTranslation('account');
  const wait = useWait();
  const form = useServerForm({
    initial: { code: '' },
    limits: { code: 40 },
    checks: { code: (value) => (value.trim().length < 6 ? t('security.incomplete') : null) },
    rejected: { code: t('security.wrong') },
    submit: ({ code }) => wait.run(() => submit(code.trim())),
  });
  return { ...form, wait };
}

export function FactorCodeInput({ form, label }: { form: FactorCodeForm; label: string }) {
  return (
    <>
      <WaitNotice wait={form.wait} />
      <TextInput
        label={label}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        {...form.fields.getInputProps('code')}
      />
    </>
  );
}
