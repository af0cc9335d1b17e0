import { Button, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { authOptionsQuery } from './auth-calls.ts';

/** After every request that sends a mail, the same for known and unknown addresses. */
export function CheckInbox({ children }: { children: ReactNode }) {
  return (
    <Stack gap="md" role="status">
      <Text>{children}</Text>
      <LocalMailboxLink />
    </Stack>
  );
}

/** Where no mail server is set the mail lands on this machine; this leads there. */
export function LocalMailboxLink() {
  const { t } = useTranslation(['session', 'common']);
  const { data } = useQuery(authOptionsQuery);
  if (data?.local_mailbox !== true) return null;
  return (
    <Button
      component="a"
      href="/mailbox"
      target="_blank"
      rel="noopener"
      variant="default"
      rightSection={<IconExternalLink size={16} stroke={1.75} role="img" aria-label={t('opensNew')} />}
    >
      {t('localMailbox')}
    </Button>
  );
}
