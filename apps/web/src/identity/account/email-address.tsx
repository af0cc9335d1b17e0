import { Button, Group, Stack, Text } from '@mantine/core';
import type { User } from '@reachout/contract/me.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { CheckInbox } from '#web/identity/auth/check-inbox.tsx';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { useGuardedClose } from '#web/ui/use-guarded-close.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

/** The address used to sign in; a new one takes effect once it is confirmed by a link in an email. */
export function EmailAddress({ user: { email, has_password } }: { user: User }) {
  const { t } = useTranslation('account');
  const [changing, setChanging] = useState(false);
  return (
    <div>
      <Text fw={500} size="sm" mb={4}>
        {t('words.emailAddress')}
      </Text>
      <Group gap="sm">
        <Text className="break">{email}</Text>
        <Button size="xs" aria-label={t('email.changeLabel')} onClick={() => setChanging(true)}>
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
  const form = useRecordForm(boundsOf('me.changeEmail'), {
    fields: {
      email: { label: t('email.new'), autoComplete: 'email' },
      current_plain_password: {
        label: t('password.current'),
        isOptional: false,
        autoComplete: 'current-password',
        input: PasswordInput,
        isShown: () => hasPassword,
      },
    },
    checks: {
      email: (value) => (value.trim().toLowerCase() === email.toLowerCase() ? t('email.same') : null),
      current_plain_password: (value) => (value === '' ? t('common:form.required') : null),
    },
    rejected: { current_plain_password: t('password.wrong') },
    save: async ({ email: wanted }) => {
      // Blanks at the ends of a password belong to it.
      const { current_plain_password } = form.fields.getValues();
      const input = hasPassword ? { email: wanted, current_plain_password } : { email: wanted };
      if (await wait.run(() => client.me.changeEmail(input))) setSentTo(wanted);
    },
  });
  const { close, closeOnEscape, question } = useGuardedClose(
    () => sentTo === undefined && form.fields.isDirty(),
    onClose,
  );
  return (
    <Dialog onClose={close} closeOnEscape={closeOnEscape} title={t('email.changeLabel')}>
      {sentTo === undefined ? (
        <Form form={form} submitLabel={t('email.submit')} onCancel={close}>
          <Text>{t('email.body')}</Text>
          <WaitNotice wait={wait} />
          <RecordFields form={form} isFocused />
        </Form>
      ) : (
        <Stack gap="md">
          <CheckInbox>{t('email.sent', { email: sentTo })}</CheckInbox>
          <Group justify="flex-end">
            <Button variant="filled" onClick={onClose}>
              {t('common:actions.close')}
            </Button>
          </Group>
        </Stack>
      )}
      {question}
    </Dialog>
  );
}
