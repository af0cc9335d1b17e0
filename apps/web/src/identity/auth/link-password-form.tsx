import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/problem.ts';
import { Form } from '#web/ui/form.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { useWait, WaitNotice } from './wait-notice.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

// The form is written by hand: a password is tried, and not stored.

interface Props {
  text: string;
  submitLabel: string;
  wrongPassword: string;
  submit: (password: string) => Promise<unknown>;
  /** Called if the link is no longer valid. */
  onExpired: () => void;
}

/** A link from an email proves access to the address. If no session identifies the account, the password does. */
export function LinkPasswordForm({ text, submitLabel, wrongPassword, submit, onExpired }: Props) {
  const { t } = useTranslation(['auth', 'common']);
  const wait = useWait();
  const form = useServerForm({
    initial: { password: '' },
    checks: { password: (value) => (value === '' ? t('common:form.required') : null) },
    submit: async ({ password }) => {
      try {
        await wait.run(() => submit(password));
      } catch (error) {
        if (isProblem(error, 410)) onExpired();
        else if (isProblem(error, 401)) {
          form.fields.setFieldError('password', wrongPassword);
          form.fields.getInputNode('password')?.focus();
        } else throw error;
      }
    },
  });
  return (
    <Form form={form} submitLabel={submitLabel} fullWidth>
      <Text>{text}</Text>
      <WaitNotice wait={wait} />
      <PasswordInput
        data-autofocus
        autoComplete="current-password"
        label={t('password')}
        {...form.fields.getInputProps('password')}
      />
    </Form>
  );
}
