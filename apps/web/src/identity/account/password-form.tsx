import { Alert, Divider, Stack, Text } from '@mantine/core';
import type { User } from '@reachout/contract/me.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, client } from '#web/platform/api.ts';
import { queryClient } from '#web/platform/query-client.ts';
import { NewPasswordInput, useNewPasswordCheck } from '#web/identity/auth/new-password-input.tsx';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { Form } from '#web/ui/form.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { PasswordLink } from './password-link.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

// The form is written by hand: a new password has a check of its strength, and both fields are emptied afterwards.

/** Never optimistic; a wrong current password is a field error. */
export function PasswordForm({ user }: { user: User }) {
  const { t } = useTranslation(['account', 'auth', 'common']);
  const checkPassword = useNewPasswordCheck();
  const wait = useWait();
  const [ended, setEnded] = useState<number>();
  const form = useServerForm({
    initial: { current_plain_password: '', new_plain_password: '' },
    checks: {
      current_plain_password: (value) => (value === '' ? t('common:form.required') : null),
      new_plain_password: checkPassword,
    },
    rejected: {
      current_plain_password: t('password.wrong'),
      new_plain_password: t('auth:passwordTooCommon'),
    },
    submit: async (values) => {
      setEnded(undefined);
      const changed = await wait.run(async () =>
        setEnded((await client.rpc.updateUserPassword(values)).ended),
      );
      if (!changed) return;
      form.fields.reset();
      await queryClient.invalidateQueries({ queryKey: api.me.sessions.key() });
    },
  });
  return (
    <Stack gap="lg" maw={480}>
      <Text>{t('password.intro')}</Text>
      {ended !== undefined && (
        <Alert color="green" role="status" title={t('password.changed')}>
          {ended > 0 && <div>{t('password.ended', { count: ended })}</div>}
          {t('password.mail')}
        </Alert>
      )}
      <Form form={form} submitLabel={t('password.submit')}>
        <WaitNotice wait={wait} />
        {/* For password managers, to identify the account. */}
        <input type="text" hidden readOnly autoComplete="username" value={user.email} />
        <PasswordInput
          autoComplete="current-password"
          label={t('password.current')}
          aria-invalid={form.fields.errors['current_plain_password'] !== undefined}
          {...form.fields.getInputProps('current_plain_password')}
        />
        <NewPasswordInput
          label={t('password.new')}
          known={[user.full_name, user.email]}
          {...form.fields.getInputProps('new_plain_password')}
        />
      </Form>
      <Divider color="var(--app-hairline)" />
      <PasswordLink email={user.email} text={t('password.forgot', { email: user.email })} />
    </Stack>
  );
}
