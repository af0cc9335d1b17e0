import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '#web/platform/links.tsx';
import { checked } from '#web/platform/list-search.ts';
import { isProblem } from '#web/platform/problem.ts';
import { queryClient } from '#web/platform/query-client.ts';
import { confirmEmail } from '#web/identity/auth/auth-calls.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { readToken } from '#web/identity/auth/read-token.ts';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { Form, useServerForm } from '#web/ui/form.tsx';
import { ActionError } from '#web/ui/states.tsx';

export const Route = createFileRoute('/change-email')({
  validateSearch: checked(readToken),
  component: ChangeEmail,
});

/** Changes nothing by being opened: programs that look at mails open links, too. */
function ChangeEmail() {
  const { t } = useTranslation('auth');
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
      <AuthFrame title={t('changeEmail.done')}>
        <Stack gap="md">
          <Text role="status" className="break">
            {t('changeEmail.doneBody', { email: changedTo })}
          </Text>
          <LinkButton to="/">{t('goOn')}</LinkButton>
        </Stack>
      </AuthFrame>
    );
  }
  if (expired) {
    return (
      <AuthFrame title={t('expired.title')}>
        <Stack gap="md">
          <Text>{t('expired.changeEmail')}</Text>
          <LinkButton to="/me/profile">{t('expired.toProfile')}</LinkButton>
        </Stack>
      </AuthFrame>
    );
  }
  if (needsPassword) {
    return (
      <AuthFrame title={t('changeEmail.title')}>
        <WithPassword token={token} onDone={onDone} onExpired={() => setExpired(true)} />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={t('changeEmail.title')}>
      <Stack gap="md">
        <Text>{t('changeEmail.body')}</Text>
        <Button loading={action.isPending} onClick={() => action.mutate()}>
          {t('changeEmail.submit')}
        </Button>
        <ActionError error={action.error} />
      </Stack>
    </AuthFrame>
  );
}

interface WithPasswordProps {
  token: string;
  onDone: (email: string) => Promise<void>;
  onExpired: () => void;
}

/** The link shows who reads the address; whose account it is for, a session or this password. */
function WithPassword({ token, onDone, onExpired }: WithPasswordProps) {
  const { t } = useTranslation(['auth', 'common']);
  const wait = useWait();
  const form = useServerForm({
    initial: { password: '' },
    checks: { password: (value) => (value === '' ? t('common:form.required') : null) },
    submit: async ({ password }) => {
      try {
        await wait.run(async () => onDone(await confirmEmail(token, password)));
      } catch (error) {
        if (isProblem(error, 410)) onExpired();
        else if (isProblem(error, 401)) {
          form.fields.setFieldError('password', t('changeEmail.wrongPassword'));
          form.fields.getInputNode('password')?.focus();
        } else throw error;
      }
    },
  });
  return (
    <Form form={form} submitLabel={t('changeEmail.submit')} fullWidth>
      <Text>{t('changeEmail.password')}</Text>
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
