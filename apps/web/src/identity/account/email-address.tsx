import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { User } from '@reachout/contract/me.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { CheckInbox } from '#web/identity/auth/check-inbox.tsx';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { useGuardedClose } from '#web/ui/use-guarded-close.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

/** The address used to sign in; a new one takes effect once it is confirmed by a link in an email. */
export function EmailAddress({ user: { email, has_password } }: { user: User }) {
  const { t } = useTranslation('account');
  const [changing, setChanging] = useState(false);
  return (
    <div>
      <Text fw={500} size="sm" mb={4}>
        {t('profile.email')}
      </Text>
      <Group gap="sm">
        <Text className="break">{email}</Text>
        <Button
          size="xs"
          variant="default"
          aria-label={t('email.changeLabel')}
          onClick={() => setChanging(true)}
        >
          {t('email.change')}
        </Button>
      </Group>
      {changing && (
        <ChangeEmail email={email} hasPassword={has_password} onClose={() => setChanging(false)} />
      )}
    </div>
  );
}

interface ChangeEmailProps {
  email: string;
  hasPassword: boolean;
  onClose: () => void;
}

function ChangeEmail({ email, hasPassword, onClose }: ChangeEmailProps) {
  const { t } = useTranslation(['account', 'common']);
  const [sentTo, setSentTo] = useState<string>();
  const wait = useWait();
  const form = useServerForm({
    initial: { email: '', current_plain_password: '' },
    checks: {
      current_plain_password: (value) => (hasPassword && value === '' ? t('common:form.required') : null),
      email: (value) => {
        if (value.trim().toLowerCase() === email.toLowerCase()) return t('email.same');
        return isEmail(value) ? null : t('common:form.email');
      },
    },
    rejected: { current_plain_password: t('password.wrong') },
    submit: async ({ email: given, current_plain_password }) => {
      const wanted = given.trim();
      const input = hasPassword ? { email: wanted, current_plain_password } : { email: wanted };
      if (await wait.run(() => client.me.changeEmail(input))) setSentTo(wanted);
    },
  });
  const { close, closeOnEscape, question } = useGuardedClose(
    () => sentTo === undefined && form.fields.isDirty(),
    onClose,
  );
  return (
    <Dialog onClose={close} closeOnEscape={closeOnEscape} title={t('email.title')}>
      {sentTo === undefined ? (
        <Form form={form} submitLabel={t('email.submit')} onCancel={close}>
          <Text>{t('email.body')}</Text>
          <WaitNotice wait={wait} />
          <TextInput
            data-autofocus
            type="email"
            autoComplete="email"
            label={t('email.new')}
            {...form.fields.getInputProps('email')}
          />
          {hasPassword && (
            <PasswordInput
              autoComplete="current-password"
              label={t('password.current')}
              {...form.fields.getInputProps('current_plain_password')}
            />
          )}
        </Form>
      ) : (
        <Stack gap="md">
          <CheckInbox>{t('email.sent', { email: sentTo })}</CheckInbox>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('common:actions.close')}</Button>
          </Group>
        </Stack>
      )}
      {question}
    </Dialog>
  );
}
