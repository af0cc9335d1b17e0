import { Text } from '@mantine/core';
import { createFileRoute, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadAuthTexts } from '#web/i18n/i18n.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { checked } from '#web/platform/list-search.ts';
import { forgetLocal, readLocal } from '#web/platform/local.ts';
import { isProblem } from '#web/platform/problem.ts';
import { confirmSignUp } from '#web/identity/auth/auth-calls.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { readToken } from '#web/identity/auth/guards.ts';
import { safeNext } from '#web/identity/auth/safe-next.ts';
import { LinkPasswordForm } from '#web/identity/auth/link-password-form.tsx';
import { LinkResult } from '#web/identity/auth/link-result.tsx';
import { ErrorState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/sign-up/confirm')({
  validateSearch: checked(readToken),
  beforeLoad: loadAuthTexts,
  component: ConfirmSignUp,
});

type State = { is: 'working' } | { is: 'password' } | { is: 'expired' } | { is: 'failed'; error: unknown };

/** Target of the link in the confirmation email. In the browser that was used to sign up, nothing more is required. */
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
    // A link can only be used once, so it is never submitted twice from one page.
    if (started.current) return;
    started.current = true;
    void confirm();
  }, []);

  const toSignIn = (
    <LinkAnchor to="/sign-in" underline="always">
      {t('signIn.title')}
    </LinkAnchor>
  );
  if (state.is === 'expired') {
    return (
      <LinkResult
        title={t('expired.title')}
        text={t('expired.signUp')}
        action={
          <LinkButton variant="filled" to="/sign-up">
            {t('expired.startAgain')}
          </LinkButton>
        }
        below={toSignIn}
      />
    );
  }
  return (
    <AuthFrame title={t('confirm.title')} below={toSignIn}>
      {state.is === 'working' && <Text role="status">{t('confirm.working')}</Text>}
      {state.is === 'password' && (
        // Anyone could have opened the link; only the user who signed up also knows the password.
        <LinkPasswordForm
          text={t('confirm.password')}
          submitLabel={t('confirm.submit')}
          wrongPassword={t('confirm.wrongPassword')}
          submit={async (password) => {
            await confirmSignUp(token, password);
            goOn();
          }}
          onExpired={() => setState({ is: 'expired' })}
        />
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
