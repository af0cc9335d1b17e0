import { Button, Paper, Stack, Text } from '@mantine/core';
import type { User } from '@reachout/contract/me.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { requestReset } from '#web/identity/auth/auth-calls.ts';
import { CheckInbox } from '#web/identity/auth/check-inbox.tsx';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { SectionTitle } from '#web/ui/text.ts';

/** Sends a link to set a password without the current one: access to the inbox is the proof. */
export function PasswordLink({ email, text }: { email: string; text: string }) {
  const { t } = useTranslation('account');
  const wait = useWait();
  const [sent, setSent] = useState(false);
  const send = useMutation({
    mutationFn: async () => {
      if (await wait.run(() => requestReset(email))) setSent(true);
    },
  });
  if (sent) return <CheckInbox>{t('password.linkSent', { email })}</CheckInbox>;
  return (
    <Stack gap="sm" align="flex-start">
      <Text className="break">{text}</Text>
      <WaitNotice wait={wait} />
      <Button loading={send.isPending} onClick={() => send.mutate()}>
        {t('email.submit')}
      </Button>
      <ActionError error={send.error} />
    </Stack>
  );
}

/** For users who have only signed in by code or through a provider. */
export function SetPassword({ user }: { user: User }) {
  const { t } = useTranslation('account');
  return (
    <Paper withBorder p="md" radius="md" maw={640}>
      <SectionTitle mb="xs">{t('password.none')}</SectionTitle>
      <PasswordLink email={user.email} text={t('password.noneBody', { email: user.email })} />
    </Paper>
  );
}
