import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { decodeWords } from '#web/operations/mailbox/decode-words.ts';
import { fromHeader, MessageColumns } from '#web/operations/mailbox/message-columns.tsx';
import { OpenPixel } from '#web/operations/mailbox/open-pixel.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';

const messageQuery = ({ api }: OrganizationContext, id: string) =>
  api.mailbox.get.queryOptions({ input: { id } });

export const Route = createFileRoute('/o/$orgId/mailbox/$messageId')({
  loader: ({ context, params }) => context.preload((scope) => [messageQuery(scope, params.messageId)]),
  component: MessagePage,
});

function MessagePage() {
  const { t } = useTranslation('mailbox');
  const format = useFormat();
  const scope = useOrganization();
  const { orgId, can } = scope;
  const { messageId } = Route.useParams();
  const search = Route.useSearch();
  const query = useQuery(messageQuery(scope, messageId));
  return (
    <AsyncRegion page query={query} what={t('whatOne')} skeleton={<PanelSkeleton height={680} />}>
      {(message) => (
        <>
          <PageHeader
            title={message.subject || t('noSubject')}
            section={t('words.mailbox')}
            crumbs={linkOptions([
              { to: '/o/$orgId/mailbox', params: { orgId }, search, label: t('words.mailbox') },
            ])}
            note={
              <Stack gap={2}>
                <span>
                  {t('words.from')}: {decodeWords(fromHeader(message))}
                </span>
                <span>
                  {t('words.to')}: {message.recipient}
                </span>
                <span>{format.dateTime(message.received_at)}</span>
              </Stack>
            }
          />
          <MessageColumns
            message={message}
            linksHint={t(can('send', 'Touchpoint') ? 'linksHint' : 'linksHidden')}
          >
            {message.pixel_url && <OpenPixel url={message.pixel_url} />}
          </MessageColumns>
        </>
      )}
    </AsyncRegion>
  );
}
