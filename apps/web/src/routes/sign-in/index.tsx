import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checked, compact, readChoice } from '#web/platform/list-search.ts';
import { isProblem } from '#web/platform/problem.ts';
import { requestCode, signIn, type SignInStep } from '#web/identity/auth/auth-calls.ts';
import { authOptionsQuery } from '#web/identity/auth/auth-options.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { DemoOffer } from '#web/identity/auth/demo-offer.tsx';
import { readEmail, readEntry, requireSignedOut } from '#web/identity/auth/guards.ts';
import { PasskeyButton } from '#web/identity/auth/passkey-button.tsx';
import { ProviderButtons } from '#web/identity/auth/provider-buttons.tsx';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { Form } from '#web/ui/form.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { ActionError, Refusal } from '#web/ui/states.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

// The form is written by hand: signing in is no operation of the contract, and the first page loads little.

const readSearch = (raw: Record<string, unknown>) =>
  compact({
    ...readEntry(raw),
    /** What has just happened to the account, or to a failed sign-in link. */
    after: readChoice(raw['after'], ['deleted', 'password', 'password_keys', 'link'] as const),
  });
type Search = ReturnType<typeof readSearch>;

export const Route = createFileRoute('/sign-in/')({
  validateSearch: checked<Search>(readSearch),
  beforeLoad: ({ context, search }) => requireSignedOut(context.queryClient, search.next),
  component: SignIn,
});

function SignIn() {
  const { t } = useTranslation(['auth', 'common']);
  const { next, email: known, after } = Route.useSearch();
  const router = useRouter();
  const navigate = Route.useNavigate();
  const [failed, setFailed] = useState(false);
  const wait = useWait();
  const canSignUp = useQuery(authOptionsQuery).data?.sign_up !== 'closed';
  const code = useMutation({
    mutationFn: async (email: string) => {
      if (await wait.run(() => requestCode(email)))
        await navigate({ to: '/sign-in/code', search: compact({ email, next }) });
    },
  });
  const form = useServerForm({
    initial: { email: known ?? '', password: '' },
    checks: {
      email: (value) => (isEmail(value) ? null : t('common:form.email')),
      password: (value) => (value === '' ? t('common:form.required') : null),
    },
    submit: async ({ email, password }) => {
      setFailed(false);
      try {
        let step: SignInStep = 'signed_in';
        const isDone = await wait.run(async () => {
          step = await signIn(email.trim(), password);
        });
        if (isDone) await goOn(step);
      } catch (error) {
        if (!isProblem(error) || error.status < 400 || error.status >= 500) throw error;
        // One neutral message, whichever of the two was wrong; the email is kept.
        setFailed(true);
        form.fields.getInputNode('password')?.focus();
      }
    },
  });
  const goOn = async (step: SignInStep) => {
    if (step === 'second_factor_needed')
      await navigate({ to: '/sign-in/second-factor', search: compact({ next: next ?? '/' }) });
    else router.history.push(next ?? '/');
  };
  const sendCode = () => {
    const email = form.fields.getValues().email.trim();
    if (form.fields.validateField('email').hasError) {
      form.fields.getInputNode('email')?.focus();
      return;
    }
    code.mutate(email);
  };
  const kept = compact({ next, email: readEmail(form.fields.values.email) });
  return (
    <AuthFrame
      title={t('signIn.title')}
      below={
        canSignUp && (
          <>
            {t('signIn.newHere')}{' '}
            <LinkAnchor to="/sign-up" search={kept} underline="always">
              {t('signIn.toSignUp')}
            </LinkAnchor>
          </>
        )
      }
    >
      {after && (
        <Alert color={after === 'link' ? 'yellow' : 'green'} role="status" mb="md">
          {t(`signIn.after.${after}`)}
        </Alert>
      )}
      <Form form={form} submitLabel={t('signIn.title')} fullWidth>
        <Refusal>{failed && t('signIn.failed')}</Refusal>
        <WaitNotice wait={wait} />
        <TextInput
          type="email"
          autoComplete="username"
          label={t('email')}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is there for this one thing
          autoFocus={known === undefined}
          {...form.fields.getInputProps('email')}
        />
        <div>
          <PasswordInput
            autoComplete="current-password"
            label={t('password')}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the address is there already
            autoFocus={known !== undefined}
            aria-invalid={form.fields.errors['password'] !== undefined}
            {...form.fields.getInputProps('password')}
          />
          <LinkAnchor to="/reset-password" search={kept} size="sm" mt={4} display="inline-block">
            {t('signIn.forgot')}
          </LinkAnchor>
        </div>
      </Form>
      <Button mt="sm" fullWidth loading={code.isPending} onClick={sendCode}>
        {t('code.send')}
      </Button>
      <ActionError error={code.error} />
      <Stack gap="sm" mt="sm">
        <PasskeyButton onSignedIn={() => router.history.push(next ?? '/')} />
      </Stack>
      <ProviderButtons next={next} />
      <DemoOffer />
    </AuthFrame>
  );
}
