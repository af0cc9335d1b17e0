import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checked, compact } from '#web/platform/list-search.ts';
import { writeLocal } from '#web/platform/local.ts';
import { signUp } from '#web/identity/auth/auth-calls.ts';
import { authOptionsQuery } from '#web/identity/auth/auth-options.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { CheckInbox, NothingCame } from '#web/identity/auth/check-inbox.tsx';
import { readEmail, readEntry, requireSignedOut, type EntrySearch } from '#web/identity/auth/guards.ts';
import { NewPasswordInput, useNewPasswordCheck } from '#web/identity/auth/new-password-input.tsx';
import { ProviderButtons } from '#web/identity/auth/provider-buttons.tsx';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { Form } from '#web/ui/form.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { useNameCheck } from '#web/ui/use-name-check.ts';

// The form is written by hand: signing up is no operation of the contract.

export const Route = createFileRoute('/sign-up/')({
  validateSearch: checked<EntrySearch>(readEntry),
  beforeLoad: ({ context, search }) => requireSignedOut(context.queryClient, search.next),
  component: SignUp,
});

function SignUp() {
  const { t } = useTranslation(['auth', 'common']);
  const { next, email: known } = Route.useSearch();
  const checkName = useNameCheck();
  const checkPassword = useNewPasswordCheck();
  const wait = useWait();
  const [sentTo, setSentTo] = useState<string>();
  const who = useQuery(authOptionsQuery).data?.sign_up ?? 'open';
  const form = useServerForm({
    initial: { name: '', email: known ?? '', password: '' },
    checks: {
      name: checkName,
      email: (value) => (isEmail(value) ? null : t('common:form.email')),
      password: checkPassword,
    },
    rejected: { password: t('passwordTooCommon') },
    submit: async ({ name, email, password }) => {
      const input = { name: name.trim(), email: email.trim(), password };
      if (!(await wait.run(() => signUp(input, next)))) return;
      // The link in the email opens another tab, which continues with this path.
      if (next !== undefined) writeLocal('next', next);
      setSentTo(input.email);
    },
  });
  const { name, email } = form.fields.values;
  const below = (
    <>
      {t('signUp.already')}{' '}
      <LinkAnchor to="/sign-in" search={compact({ next, email: readEmail(email) })} underline="always">
        {t('signIn.title')}
      </LinkAnchor>
    </>
  );
  if (sentTo !== undefined) {
    return (
      <AuthFrame title={t('inbox.title')} below={below}>
        <CheckInbox>
          {t(who === 'invited' ? 'inbox.signUpInvited' : 'inbox.signUp', { email: sentTo })}
        </CheckInbox>
        <NothingCame
          onSendAgain={() => signUp({ ...form.fields.getValues(), email: sentTo }, next)}
          onOtherAddress={() => setSentTo(undefined)}
        />
      </AuthFrame>
    );
  }
  if (who === 'closed') {
    return (
      <AuthFrame title={t('signUp.closedTitle')} below={below}>
        <Text>{t('signUp.closed')}</Text>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={t('signUp.title')} below={below}>
      {who === 'invited' && (
        <Text c="dimmed" mb="md">
          {t(next?.startsWith('/join/') === true ? 'signUp.byLink' : 'signUp.invited')}
        </Text>
      )}
      <Form form={form} submitLabel={t('signUp.submit')} fullWidth>
        <WaitNotice wait={wait} />
        <TextInput
          autoComplete="name"
          label={t('name')}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is there for this one thing
          autoFocus
          {...form.fields.getInputProps('name')}
        />
        <TextInput
          type="email"
          autoComplete="username"
          label={t('email')}
          {...form.fields.getInputProps('email')}
        />
        <NewPasswordInput
          label={t('password')}
          known={[name, email]}
          {...form.fields.getInputProps('password')}
        />
      </Form>
      <ProviderButtons next={next} />
    </AuthFrame>
  );
}
