import { Stack } from '@mantine/core';
import type { MailboxMessageDetail } from '@reachout/contract/mailbox.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PreviewFrame } from '#web/ui/preview-frame.tsx';
import classes from './message-columns.module.css';
import { MessageHeaders, MessageLinks } from './message-parts.tsx';

interface Props {
  message: MailboxMessageDetail;
  /** What following a link does. */
  linksHint: string;
  /** Above the links. */
  children?: ReactNode;
}

/** A message to be read, its links and its header lines. */
export function MessageColumns({ message, linksHint, children }: Props) {
  const { t } = useTranslation('mailbox');
  return (
    <div className={classes.columns}>
      <Stack gap="md" className={classes.links ?? ''}>
        {children}
        <MessageLinks message={message} hint={linksHint} />
      </Stack>
      <div className={classes.message}>
        <PreviewFrame
          followLinks
          html={message.html ?? ''}
          text={message.text ?? ''}
          title={t('preview')}
          initial={message.html === null ? 'text' : 'desktop'}
        />
      </div>
      <div className={classes.headers}>
        <MessageHeaders message={message} />
      </div>
    </div>
  );
}
