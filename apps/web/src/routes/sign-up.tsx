import { PasswordInput, TextInput } from '@mantine/core';
import { createFileRoute, redirect, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LinkAnchor } from '../platform/links.tsx';
import { AuthFrame } from '../session/auth-frame.tsx';
import { sessionQuery, signUp } from '../session/session.ts';
import { isEmail } from '../ui/checks.ts';
import { Form, useServerForm } from '../ui/form.tsx';
import { useNameCheck } from '../ui/use-name-check.ts';

export const Route = createFileRoute('/sign-up')({
  beforeLoad: async ({ context }) => {
    const user = await context.queryClient.ensureQueryData(sessionQuery).catch(() => null);
    if (user) throw redirect({ to: '/' });
  },
  component: SignUp,
});

const minPassword = 8;

function SignUp() {
  const { t } = useTranslation(['session', 'common']);
  const router = useRouter();
  const checkName = useNameCheck();
  const form = useServerForm({
    initial: { name: '', email: '', password: '' },
    checks: {
      name: checkName,
      email: (value) => (isEmail(value) ? null : t('common:form.email')),
      password: (value) => (value.length < minPassword ? t('passwordShort', { min: minPassword }) : null),
    },
    fieldOfCode: {
      user_already_exists: 'email',
      user_already_exists_use_another_email: 'email',
      invalid_email: 'email',
      password_too_short: 'password',
      password_too_long: 'password',
    },
    submit: async ({ name, email, password }) => {
      await signUp(name.trim(), email.trim(), password);
      router.history.push('/');
    },
  });
  return (
    <AuthFrame
      title={t('signUp.title')}
      below={
        <>
          {t('signUp.already')}{' '}
          <LinkAnchor to="/sign-in" underline="always">
            {t('signUp.toSignIn')}
          </LinkAnchor>
        </>
      }
    >
      <Form form={form} submitLabel={t('signUp.submit')} fullWidth>
        <TextInput autoComplete="name" label={t('name')} {...form.fields.getInputProps('name')} />
        <TextInput
          type="email"
          autoComplete="username"
          label={t('email')}
          {...form.fields.getInputProps('email')}
        />
        <PasswordInput
          autoComplete="new-password"
          label={t('password')}
          description={t('passwordRule', { min: minPassword })}
          aria-invalid={form.fields.errors['password'] !== undefined}
          {...form.fields.getInputProps('password')}
        />
      </Form>
    </AuthFrame>
  );
}
