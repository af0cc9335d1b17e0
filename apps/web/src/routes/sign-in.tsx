import { Alert, PasswordInput, TextInput } from '@mantine/core';
import { createFileRoute, redirect, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkAnchor } from '../platform/links.tsx';
import { Problem } from '../platform/problem.ts';
import { AuthFrame } from '../session/auth-frame.tsx';
import { safeNext } from '../session/guards.ts';
import { retrySeconds } from '../session/retry-after.ts';
import { sessionQuery, signIn } from '../session/session.ts';
import { Form, useServerForm } from '../ui/form.tsx';
import { isEmail } from '../ui/checks.ts';
import { checked } from '../platform/list-search.ts';

interface Search {
  next?: string;
}

export const Route = createFileRoute('/sign-in')({
  validateSearch: checked<Search>((search) => {
    const next = safeNext(search['next']);
    return next === undefined ? {} : { next };
  }),
  beforeLoad: async ({ context }) => {
    // If the session cannot be read the form is still the right thing to show.
    const user = await context.queryClient.ensureQueryData(sessionQuery).catch(() => null);
    if (user) throw redirect({ to: '/' });
  },
  component: SignIn,
});

function SignIn() {
  const { t } = useTranslation(['session', 'common']);
  const { next } = Route.useSearch();
  const router = useRouter();
  const [refusal, setRefusal] = useState<string>();
  const form = useServerForm({
    initial: { email: '', password: '' },
    checks: {
      email: (value) => (isEmail(value) ? null : t('common:form.email')),
      password: (value) => (value === '' ? t('common:form.required') : null),
    },
    submit: async ({ email, password }) => {
      setRefusal(undefined);
      try {
        await signIn(email.trim(), password);
      } catch (error) {
        const seconds = retrySeconds(error);
        if (seconds !== undefined) setRefusal(t('signIn.tooMany', { seconds }));
        else if (error instanceof Problem && error.status >= 400 && error.status < 500) {
          // One neutral sentence, whichever of the two was wrong; the email stays.
          setRefusal(t('signIn.failed'));
          form.fields.getInputNode('password')?.focus();
        } else throw error;
        return;
      }
      router.history.push(next ?? '/');
    },
  });
  return (
    <AuthFrame
      title={t('signIn.title')}
      below={
        <>
          {t('signIn.newHere')}{' '}
          <LinkAnchor to="/sign-up" underline="always">
            {t('signIn.toSignUp')}
          </LinkAnchor>
        </>
      }
    >
      <Form form={form} submitLabel={t('signIn.submit')} fullWidth>
        {refusal && (
          <Alert color="red" variant="light" role="alert">
            {refusal}
          </Alert>
        )}
        <TextInput
          type="email"
          autoComplete="username"
          label={t('email')}
          {...form.fields.getInputProps('email')}
        />
        <PasswordInput
          autoComplete="current-password"
          label={t('password')}
          aria-invalid={form.fields.errors['password'] !== undefined}
          {...form.fields.getInputProps('password')}
        />
      </Form>
    </AuthFrame>
  );
}
