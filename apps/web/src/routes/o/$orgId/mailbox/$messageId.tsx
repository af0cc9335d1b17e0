import { Anchor, Paper, Stack, Table, Text, Title } from '@mantine/core';
import type { MailboxMessageDetail } from '@reachout/contract/mailbox.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../i18n/format.ts';
import { decodeWords } from '../../../../mailbox/decode-words.ts';
import { OpenPixel } from '../../../../mailbox/open-pixel.tsx';
import { useOrganization } from '../../../../organizations/scope.ts';
import { LinkAnchor } from '../../../../platform/links.tsx';
import { PageHeader } from '../../../../shell/page-header.tsx';
import classes from '../../../../touchpoints/review.module.css';
import { AsyncRegion } from '../../../../ui/async-region.tsx';
import { PreviewFrame } from '../../../../ui/preview-frame.tsx';
import { PanelSkeleton } from '../../../../ui/skeletons.tsx';

export const Route = createFileRoute('/o/$orgId/mailbox/$messageId')({ component: MessagePage });

function MessagePage() {
  const { t } = useTranslation('mailbox');
  const format = useFormat();
  const { api, orgId } = useOrganization();
  const { messageId } = Route.useParams();
  const query = useQuery(api.mailbox.get.queryOptions({ input: { id: messageId } }));
  return (
    <AsyncRegion page query={query} what={t('whatOne')} skeleton={<PanelSkeleton height={680} />}>
      {(message) => (
        <>
          <PageHeader
            title={message.subject || t('noSubject')}
            section={t('title')}
            crumbs={[
              <LinkAnchor key="mailbox" to="/o/$orgId/mailbox" params={{ orgId }}>
                {t('title')}
              </LinkAnchor>,
            ]}
            note={
              <Stack gap={2}>
                <span>
                  {t('sender')}: {decodeWords(fromHeader(message))}
                </span>
                <span>
                  {t('recipient')}: {message.recipient}
                </span>
                <span>{format.dateTime(message.received_at)}</span>
              </Stack>
            }
          />
          <div className={classes.columns}>
            <PreviewFrame
              html={message.html ?? ''}
              text={message.text ?? ''}
              title={t('preview')}
              initial={message.html === null ? 'text' : 'desktop'}
            />
            <Stack gap="md">
              {message.pixel_url && <OpenPixel url={message.pixel_url} />}
              <Links message={message} />
              <Headers message={message} />
            </Stack>
          </div>
        </>
      )}
    </AsyncRegion>
  );
}

function Links({ message }: { message: MailboxMessageDetail }) {
  const { t } = useTranslation('mailbox');
  return (
    <Paper withBorder p="md" radius="md" component="section">
      <Title order={2} size="h3">
        {t('links')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {message.links.length === 0 ? t('noLinks') : t('linksHint')}
      </Text>
      <ul className="plain-list">
        {message.links.map((link, index) => (
          // Known by its place: the same link may appear twice.
          <li key={index}>
            <Anchor href={link.url} target="_blank" rel="noopener noreferrer" className="break" size="sm">
              {link.text.trim() || link.url}{' '}
              <IconExternalLink size={14} stroke={1.75} role="img" aria-label={t('opensNew')} />
            </Anchor>
          </li>
        ))}
      </ul>
    </Paper>
  );
}

function Headers({ message }: { message: MailboxMessageDetail }) {
  const { t } = useTranslation('mailbox');
  return (
    <Paper withBorder p="md" radius="md" component="section">
      <details>
        <summary>{t('headers')}</summary>
        <Table.ScrollContainer minWidth={320} tabIndex={0} aria-label={t('headers')}>
          <Table fz="xs">
            <Table.Tbody>
              {message.headers.map((header, index) => (
                // Known by its place: a header may appear several times.
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

/** What mail programs show as the sender; the envelope's own address is made for bounces. */
function fromHeader({ headers, sender }: MailboxMessageDetail): string {
  return headers.find(({ name }) => name.toLowerCase() === 'from')?.value ?? sender;
}
