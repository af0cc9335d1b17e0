import { Button, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { TimelineMessage } from './timeline-message.tsx';
import { TimelineVisit } from './timeline-visit.tsx';

/** The number of sends that the server searches; the texts count single messages as sends, too. */
const maxSends = 5_000;

export const timelineQuery = (
  { api, orgId, clientId }: OrganizationContext,
  collection: string,
  key: string,
) =>
  api.contacts.timeline.infiniteOptions({
    input: (cursor: string | undefined) => ({
      organization_id: orgId,
      collection,
      key,
      limit: 20,
      ...(cursor === undefined ? {} : { cursor }),
      ...(clientId === undefined ? {} : { client_id: clientId }),
    }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });

interface Props {
  collection: string;
  contactKey: string;
}

/** The messages sent to a contact, with their events, and its visits of websites, newest first. */
export function ContactTimeline({ collection, contactKey }: Props) {
  const { t } = useTranslation('timeline');
  const query = useInfiniteQuery(timelineQuery(useOrganization(), collection, contactKey));
  return (
    <SectionCard title={t('title')}>
      <AsyncRegion query={query} what={t('what')}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          const cutNote = pages[0]?.is_cut === true && (
            <Text size="sm" c="dimmed">
              {t('cut', { count: maxSends })}
            </Text>
          );
          if (items.length === 0)
            return (
              <Stack align="center" gap={4} py="lg">
                <IconMail size={28} stroke={1.5} className="quiet-icon" aria-hidden />
                <Text fw={500}>{t('empty')}</Text>
                <Text size="sm" c="dimmed" ta="center">
                  {t('emptyHint')}
                </Text>
                {cutNote}
              </Stack>
            );
          return (
            <Stack gap="md">
              <ol className="plain-list" style={{ gap: 0 }}>
                {items.map((item) =>
                  item.kind === 'visit' ? (
                    <TimelineVisit key={item.id} visit={item} />
                  ) : (
                    <TimelineMessage key={`${item.send_id} ${item.seq}`} message={item} />
                  ),
                )}
              </ol>
              {query.hasNextPage && (
                <Button
                  variant="default"
                  style={{ alignSelf: 'center' }}
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {t('more')}
                </Button>
              )}
              {!query.hasNextPage && cutNote}
            </Stack>
          );
        }}
      </AsyncRegion>
    </SectionCard>
  );
}
