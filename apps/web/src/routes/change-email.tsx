import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadAuthTexts } from '#web/i18n/i18n.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { checked } from '#web/platform/list-search.ts';
import { isProblem } from '#web/platform/problem.ts';
import { queryClient } from '#web/platform/query-client.ts';
import { confirmEmail } from '#web/identity/auth/auth-calls.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { LinkPasswordForm } from '#web/identity/auth/link-password-form.tsx';
import { LinkResult } from '#web/identity/auth/link-result.tsx';
import { readToken } from '#web/identity/auth/guards.ts';
import { ActionError } from '#web/ui/states.tsx';

export const Route = createFileRoute('/change-email')({
  validateSearch: checked(readToken),
  beforeLoad: loadAuthTexts,
  component: ChangeEmail,
});

/** Opening the page changes nothing, because email scanners open links, too. */
function ChangeEmail() {
  const { t } = useTranslation(['auth', 'common']);
  const { token } = Route.useSearch();
  const [expired, setExpired] = useState(token === '');
  const [needsPassword, setNeedsPassword] = useState(false);
  const [changedTo, setChangedTo] = useState<string>();
  const onDone = async (email: string) => {
    setChangedTo(email);
    await queryClient.invalidateQueries();
  };
  const action = useMutation({
    mutationFn: async () => {
      try {
        await onDone(await confirmEmail(token));
      } catch (error) {
        if (isProblem(error, 410)) setExpired(true);
        else if (isProblem(error) && error.code === 'password_needed') setNeedsPassword(true);
        else throw error;
      }
    },
  });
  if (changedTo !== undefined) {
    return (
      <LinkResult
        title={t('changeEmail.done')}
        text={t('changeEmail.doneBody', { email: changedTo })}
        action={
          <LinkButton variant="filled" to="/">
            {t('actions.continue')}
          </LinkButton>
        }
      />
    );
  }
  if (expired) {
    return (
      <LinkResult
        title={t('expired.title')}
        text={t('expired.changeEmail')}
        action={
          <LinkButton variant="filled" to="/me/profile">
            {t('expired.toProfile')}
          </LinkButton>
        }
      />
    );
  }
  if (needsPassword) {
    return (
      <AuthFrame title={t('changeEmail.title')}>
        <LinkPasswordForm
          text={t('changeEmail.password')}
          submitLabel={t('changeEmail.submit')}
          wrongPassword={t('common:code.wrong_password')}
          submit={async (password) => onDone(await confirmEmail(token, password))}
          onExpired={() => setExpired(true)}
        />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={t('changeEmail.title')}>
      <Stack gap="md">
        <Text>{t('changeEmail.body')}</Text>
        <Button variant="filled" loading={action.isPending} onClick={() => action.mutate()}>
          {t('changeEmail.submit')}
        </Button>
        <ActionError error={action.error} />
      </Stack>
    </AuthFrame>
  );
}
