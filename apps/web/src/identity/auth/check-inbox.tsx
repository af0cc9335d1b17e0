import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import { authOptionsQuery } from './auth-options.ts';
import { useWait, WaitNotice } from './wait-notice.tsx';

/** Seconds before another email can be requested. */
const resendAfter = 60;

/** Shown after every request that sends an email, identical for known and unknown addresses. */
export function CheckInbox({ children }: { children: ReactNode }) {
  return (
    <Stack gap="md" role="status">
      <Text className="break">{children}</Text>
      <LocalMailboxLink />
    </Stack>
  );
}

interface AgainProps {
  onSendAgain: () => Promise<unknown>;
  onOtherAddress: () => void;
}

/** Help if the email does not arrive: where to look, resend after a minute, or use another address. */
export function NothingCame({ onSendAgain, onOtherAddress }: AgainProps) {
  const { t } = useTranslation('auth');
  const { data } = useQuery(authOptionsQuery);
  const wait = useWait();
  const pause = useWait(resendAfter);
  const [sentAgain, setSentAgain] = useState(false);
  const resend = useMutation({
    mutationFn: async () => {
      if (!(await wait.run(onSendAgain))) return;
      pause.start(resendAfter);
      setSentAgain(true);
    },
  });
  return (
    <Stack gap="md" mt="md">
      {data && <Text>{t(data.local_mailbox === null ? 'inbox.spam' : 'inbox.local')}</Text>}
      <WaitNotice wait={wait} />
      <ActionError error={resend.error} />
      {pause.remaining > 0 ? (
        <QuietText>
          {sentAgain && <span role="status">{t('inbox.sentAgain')} </span>}
          {t('inbox.againIn', { count: pause.remaining })}
        </QuietText>
      ) : (
        <Button loading={resend.isPending} onClick={() => resend.mutate()}>
          {t('inbox.sendAgain')}
        </Button>
      )}
      <Anchor component="button" type="button" ta="start" underline="always" onClick={onOtherAddress}>
        {t('code.otherAddress')}
      </Anchor>
    </Stack>
  );
}

/** The way to the system inbox, which receives emails if no mail server is configured: a link to it, or where its link is. */
export function LocalMailboxLink() {
  const { t } = useTranslation(['auth', 'common']);
  const { data } = useQuery(authOptionsQuery);
  const offer = data?.local_mailbox ?? null;
  if (offer === null) return null;
  if (offer === 'needs_link') return <Text c="dimmed">{t('mailboxLink')}</Text>;
  return (
    <Button
      component="a"
      href="/mailbox"
      target="_blank"
      rel="noopener"
      rightSection={<IconExternalLink size={16} role="img" aria-label={t('opensNew')} />}
    >
      {t('localMailbox')}
    </Button>
  );
}
