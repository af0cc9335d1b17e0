import { Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadAuthTexts } from '#web/i18n/i18n.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { checked } from '#web/platform/list-search.ts';
import { isProblem } from '#web/platform/problem.ts';
import { resetPassword } from '#web/identity/auth/auth-calls.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { LinkResult } from '#web/identity/auth/link-result.tsx';
import { NewPasswordInput, useNewPasswordCheck } from '#web/identity/auth/new-password-input.tsx';
import { readToken } from '#web/identity/auth/guards.ts';
import { currentSession, endSession } from '#web/identity/auth/session.ts';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { Form } from '#web/ui/form.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';

// The form is written by hand: passwords are no operation of the contract.

export const Route = createFileRoute('/reset-password/new')({
  validateSearch: checked(readToken),
  beforeLoad: loadAuthTexts,
  component: NewPassword,
});

function NewPassword() {
  const { t } = useTranslation(['auth', 'common']);
  const { token } = Route.useSearch();
  const navigate = Route.useNavigate();
  const checkPassword = useNewPasswordCheck();
  const wait = useWait();
  const [expired, setExpired] = useState(token === '');
  const form = useServerForm({
    initial: { password: '' },
    checks: { password: checkPassword },
    rejected: { password: t('passwordTooCommon') },
    submit: async ({ password }) => {
      let hasApiKeys = false;
      try {
        const isDone = await wait.run(async () => {
          hasApiKeys = await resetPassword(token, password);
        });
        if (!isDone) return;
      } catch (error) {
        if (!isProblem(error, 410)) throw error;
        setExpired(true);
        return;
      }
      // The new password has ended all sessions, including this browser's.
      if (currentSession().is === 'signed_in') endSession();
      await navigate({
        to: '/sign-in',
        search: hasApiKeys
          ? { after: 'password_keys', next: '/me/api-keys?after=reset' }
          : { after: 'password' },
      });
    },
  });
  const below = (
    <LinkAnchor to="/sign-in" underline="always">
      {t('backToSignIn')}
    </LinkAnchor>
  );
  if (expired) {
    return (
      <LinkResult
        title={t('expired.title')}
        text={t('expired.reset')}
        action={
          <LinkButton variant="filled" to="/reset-password">
            {t('expired.newLink')}
          </LinkButton>
        }
        below={below}
      />
    );
  }
  return (
    <AuthFrame title={t('reset.newTitle')} below={below}>
      <Form form={form} submitLabel={t('reset.save')} fullWidth>
        <Text>{t('reset.newBody')}</Text>
        <WaitNotice wait={wait} />
        <NewPasswordInput label={t('newPassword')} {...form.fields.getInputProps('password')} />
      </Form>
    </AuthFrame>
  );
}
