import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../i18n/format.ts';
import { decodeWords } from '../../../../mailbox/decode-words.ts';
import { MessageColumns } from '../../../../mailbox/message-columns.tsx';
import { fromHeader } from '../../../../mailbox/message-parts.tsx';
import { OpenPixel } from '../../../../mailbox/open-pixel.tsx';
import { useOrganization } from '../../../../organizations/scope.ts';
import { LinkAnchor } from '../../../../platform/links.tsx';
import { PageHeader } from '../../../../shell/page-header.tsx';
import { AsyncRegion } from '../../../../ui/async-region.tsx';
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
          <MessageColumns message={message} linksHint={t('linksHint')}>
            {message.pixel_url && <OpenPixel url={message.pixel_url} />}
          </MessageColumns>
        </>
      )}
    </AsyncRegion>
  );
}
