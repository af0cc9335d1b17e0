import { useDocumentTitle } from '@mantine/hooks';
import type { MailboxMessageDetail } from '@reachout/contract/mailbox.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, type Api } from '#web/platform/api.ts';
import { preload } from '#web/platform/preload.ts';
import { useFormat } from '#web/i18n/format.ts';
import { decodeWords } from '#web/operations/mailbox/decode-words.ts';
import { fromHeader, MessageColumns } from '#web/operations/mailbox/message-columns.tsx';
import { LinkAnchor } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { PageTitle, QuietText } from '#web/ui/text.ts';

const systemMessageQuery = ({ systemMailbox }: Api, id: string) =>
  systemMailbox.get.queryOptions({ input: { id } });

export const Route = createFileRoute('/mailbox/$messageId')({
  loader: ({ params }) =>
    preload(async () => [systemMessageQuery((await import('#web/platform/api.ts')).api, params.messageId)]),
  component: SystemMessage,
});

function SystemMessage() {
  const { t } = useTranslation(['account', 'mailbox']);
  const { messageId } = Route.useParams();
  const query = useQuery(systemMessageQuery(api, messageId));
  return (
    <>
      <LinkAnchor to="/mailbox">‹ {t('mailbox.toList')}</LinkAnchor>
      <AsyncRegion page query={query} what={t('mailbox:whatOne')} skeleton={<PanelSkeleton height={680} />}>
        {(message) => <Message message={message} />}
      </AsyncRegion>
    </>
  );
}

function Message({ message }: { message: MailboxMessageDetail }) {
  const { t } = useTranslation(['mailbox', 'account', 'common']);
  const format = useFormat();
  const title = message.subject || t('noSubject');
  useDocumentTitle(`${title} · ${t('account:mailbox.title')} · ${t('common:product')}`);
  return (
    <>
      <PageTitle mt="sm">{title}</PageTitle>
      <QuietText mb="lg" className="break">
        {t('words.from')}: {decodeWords(fromHeader(message))}
        <br />
        {t('words.to')}: {message.recipient}
        <br />
        {format.dateTime(message.received_at)}
      </QuietText>
      <MessageColumns message={message} linksHint={t('account:mailbox.linksHint')} />
    </>
  );
}
