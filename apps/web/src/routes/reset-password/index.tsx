import { Text, TextInput } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadAuthTexts } from '#web/i18n/i18n.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { checked, compact } from '#web/platform/list-search.ts';
import { requestReset } from '#web/identity/auth/auth-calls.ts';
import { AuthFrame } from '#web/identity/auth/auth-frame.tsx';
import { CheckInbox, NothingCame } from '#web/identity/auth/check-inbox.tsx';
import { readEmail, readEntry, type EntrySearch } from '#web/identity/auth/guards.ts';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { Form } from '#web/ui/form.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';

// The form is written by hand: passwords are no operation of the contract.

export const Route = createFileRoute('/reset-password/')({
  validateSearch: checked<EntrySearch>(readEntry),
  beforeLoad: loadAuthTexts,
  component: ResetPassword,
});

function ResetPassword() {
  const { t } = useTranslation(['auth', 'common']);
  const { next, email: known } = Route.useSearch();
  const wait = useWait();
  const [sentTo, setSentTo] = useState<string>();
  const form = useServerForm({
    initial: { email: known ?? '' },
    checks: { email: (value) => (isEmail(value) ? null : t('common:form.email')) },
    submit: async ({ email }) => {
      if (await wait.run(() => requestReset(email.trim()))) setSentTo(email.trim());
    },
  });
  const below = (
    <LinkAnchor
      to="/sign-in"
      search={compact({ next, email: readEmail(form.fields.values.email) })}
      underline="always"
    >
      {t('backToSignIn')}
    </LinkAnchor>
  );
  if (sentTo !== undefined) {
    return (
      <AuthFrame title={t('inbox.title')} below={below}>
        <CheckInbox>{t('inbox.reset', { email: sentTo })}</CheckInbox>
        <NothingCame onSendAgain={() => requestReset(sentTo)} onOtherAddress={() => setSentTo(undefined)} />
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
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is there for this one thing
          autoFocus
          {...form.fields.getInputProps('email')}
        />
      </Form>
    </AuthFrame>
  );
}
