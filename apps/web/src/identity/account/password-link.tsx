import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { requestReset } from '#web/identity/auth/auth-calls.ts';
import { CheckInbox } from '#web/identity/auth/check-inbox.tsx';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useAction } from '#web/ui/use-action.ts';

/** Sends the link that sets a password without the current one: the inbox is the proof. */
export function PasswordLink({ email, text }: { email: string; text: string }) {
  const { t } = useTranslation('me');
  const action = useAction();
  const wait = useWait();
  const [sent, setSent] = useState(false);
  if (sent) return <CheckInbox>{t('password.linkSent', { email })}</CheckInbox>;
  const send = () =>
    action.run(async () => {
      if (await wait.run(() => requestReset(email))) setSent(true);
    });
  return (
    <Stack gap="sm" align="flex-start">
      <Text className="break">{text}</Text>
      <WaitNotice wait={wait} />
      <Button variant="default" loading={action.pending} onClick={() => void send()}>
        {t('password.sendLink')}
      </Button>
      <ActionError error={action.error} />
    </Stack>
  );
}
