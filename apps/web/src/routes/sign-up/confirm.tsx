import { PasswordInput, Stack, Text } from '@mantine/core';
import { createFileRoute, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { checked } from '#web/platform/list-search.ts';
import { forgetLocal, readLocal } from '#web/platform/local.ts';
import { isProblem } from '#web/platform/problem.ts';
import { confirmSignUp } from '#web/identity/auth/auth-calls.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { safeNext } from '#web/identity/auth/guards.ts';
import { readToken } from '#web/identity/auth/read-token.ts';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { Form, useServerForm } from '#web/ui/form.tsx';
import { ErrorState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/sign-up/confirm')({
  validateSearch: checked(readToken),
  component: ConfirmSignUp,
});

type State = { is: 'working' } | { is: 'password' } | { is: 'expired' } | { is: 'failed'; error: unknown };

/** Where the link of the mail leads. In the browser that signed up nothing more is asked. */
function ConfirmSignUp() {
  const { t } = useTranslation('auth');
  const { token } = Route.useSearch();
  const router = useRouter();
  const [state, setState] = useState<State>({ is: 'working' });
  const started = useRef(false);

  const goOn = () => {
    const next = safeNext(readLocal('next'));
    forgetLocal(['next']);
    router.history.replace(next ?? '/');
  };
  const confirm = useEffectEvent(async () => {
    try {
      await confirmSignUp(token);
      goOn();
    } catch (error) {
      if (isProblem(error) && error.code === 'password_needed') setState({ is: 'password' });
      else if (isProblem(error, 410)) setState({ is: 'expired' });
      else setState({ is: 'failed', error });
    }
  });
  useEffect(() => {
    // A link works once: never twice from one page.
    if (started.current) return;
    started.current = true;
    void confirm();
  }, []);

  const toSignIn = (
    <LinkAnchor to="/sign-in" underline="always">
      {t('signUp.toSignIn')}
    </LinkAnchor>
  );
  if (state.is === 'expired') {
    return (
      <AuthFrame title={t('expired.title')} below={toSignIn}>
        <Stack gap="md">
          <Text>{t('expired.signUp')}</Text>
          <LinkButton to="/sign-up">{t('expired.startAgain')}</LinkButton>
        </Stack>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={t('confirm.title')} below={toSignIn}>
      {state.is === 'working' && <Text role="status">{t('confirm.working')}</Text>}
      {state.is === 'password' && (
        <WithPassword token={token} onDone={goOn} onExpired={() => setState({ is: 'expired' })} />
      )}
      {state.is === 'failed' && (
        <ErrorState
          error={state.error}
          what={t('confirm.what')}
          onRetry={() => {
            setState({ is: 'working' });
            void confirm();
          }}
        />
      )}
    </AuthFrame>
  );
}

interface WithPasswordProps {
  token: string;
  onDone: () => void;
  onExpired: () => void;
}

/** Another browser than the one that signed up: anyone who opens the link also knows the password. */
function WithPassword({ token, onDone, onExpired }: WithPasswordProps) {
  const { t } = useTranslation(['auth', 'common']);
  const wait = useWait();
  const form = useServerForm({
    initial: { password: '' },
    checks: { password: (value) => (value === '' ? t('common:form.required') : null) },
    submit: async ({ password }) => {
      try {
        if (await wait.run(() => confirmSignUp(token, password))) onDone();
      } catch (error) {
        if (isProblem(error, 410)) onExpired();
        else if (isProblem(error, 401)) {
          form.fields.setFieldError('password', t('confirm.wrongPassword'));
          form.fields.getInputNode('password')?.focus();
        } else throw error;
      }
    },
  });
  return (
    <Form form={form} submitLabel={t('confirm.submit')} fullWidth>
      <Text>{t('confirm.password')}</Text>
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
