import { Text, TextInput } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkAnchor } from '../../platform/links.tsx';
import { requestReset } from '../../session/auth-calls.ts';
import { AuthFrame } from '../../session/auth-frame.tsx';
import { CheckInbox } from '../../session/check-inbox.tsx';
import { useWait, WaitNotice } from '../../session/wait-notice.tsx';
import { isEmail } from '../../ui/checks.ts';
import { Form, useServerForm } from '../../ui/form.tsx';

export const Route = createFileRoute('/reset-password/')({ component: ResetPassword });

function ResetPassword() {
  const { t } = useTranslation(['session', 'common']);
  const wait = useWait();
  const [sentTo, setSentTo] = useState<string>();
  const form = useServerForm({
    initial: { email: '' },
    checks: { email: (value) => (isEmail(value) ? null : t('common:form.email')) },
    submit: async ({ email }) => {
      if (await wait.run(() => requestReset(email.trim()))) setSentTo(email.trim());
    },
  });
  const below = (
    <LinkAnchor to="/sign-in" underline="always">
      {t('backToSignIn')}
    </LinkAnchor>
  );
  if (sentTo !== undefined) {
    return (
      <AuthFrame title={t('inbox.title')} below={below}>
        <CheckInbox>{t('inbox.reset', { email: sentTo })}</CheckInbox>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={t('reset.title')} below={below}>
      <Form form={form} submitLabel={t('reset.submit')} fullWidth>
        <Text>{t('reset.body')}</Text>
        <WaitNotice wait={wait} />
        <TextInput
          type="email"
          autoComplete="username"
          label={t('email')}
          {...form.fields.getInputProps('email')}
        />
      </Form>
    </AuthFrame>
  );
}
