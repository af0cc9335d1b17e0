import { Anchor, Paper, Stack, Table } from '@mantine/core';
import type { MailboxMessageDetail } from '@reachout/contract/mailbox.ts';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PreviewFrame } from '#web/ui/preview-frame.tsx';
import classes from './message-columns.module.css';
import { QuietText, SectionTitle } from '#web/ui/text.ts';

interface Props {
  message: MailboxMessageDetail;
  /** The effect of clicking a link. */
  linksHint: string;
  /** Rendered above the links. */
  children?: ReactNode;
}

export function MessageColumns({ message, linksHint, children }: Props) {
  const { t } = useTranslation('mailbox');
  return (
    <div className={classes.room}>
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
    </div>
  );
}

/** @param hint  the effect of clicking a link */
function MessageLinks({ message, hint }: { message: MailboxMessageDetail; hint: string }) {
  const { t } = useTranslation('mailbox');
  return (
    <Paper withBorder p="md" radius="md" component="section">
      <SectionTitle>{t('links')}</SectionTitle>
      <QuietText mb="sm">{message.links.length === 0 ? t('noLinks') : hint}</QuietText>
      <ul className="plain-list">
        {message.links.map((link, index) => (
          // Identified by position: the same link may appear twice.
          <li key={index}>
            <Anchor href={link.url} target="_blank" rel="noopener noreferrer" className="break" size="sm">
              {link.text.trim() || link.url}{' '}
              <IconExternalLink size={14} role="img" aria-label={t('words.opensNew')} />
            </Anchor>
          </li>
        ))}
      </ul>
    </Paper>
  );
}

function MessageHeaders({ message }: { message: MailboxMessageDetail }) {
  const { t } = useTranslation('mailbox');
  return (
    <Paper withBorder p="md" radius="md" component="section">
      <details>
        <summary>{t('headers')}</summary>
        <Table.ScrollContainer minWidth={320} tabIndex={0} aria-label={t('headers')}>
          <Table fz="xs">
            <Table.Tbody>
              {message.headers.map((header, index) => (
                // Identified by position: a header may appear several times.
                <Table.Tr key={index}>
                  <Table.Th scope="row" fw={500}>
                    {header.name}
                  </Table.Th>
                  <Table.Td className="break">{header.value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </details>
    </Paper>
  );
}

/** @returns the sender as mail programs show it; the envelope address is only for bounces */
export function fromHeader({ headers, sender }: MailboxMessageDetail): string {
  return headers.find(({ name }) => name.toLowerCase() === 'from')?.value ?? sender;
}
