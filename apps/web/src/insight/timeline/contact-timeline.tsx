import { Button, Stack, Text } from '@mantine/core';
import type { ContactVisit } from '@reachout/contract/contacts.ts';
import { IconMail, IconWorld } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { QuietText } from '#web/ui/text.ts';
import { TimelineEntry, TimelineLine } from './timeline-entry.tsx';
import { TimelineMessage } from './timeline-message.tsx';

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

/** The messages sent to a contact, with their events, and its visits of websites, newest first. */
export function ContactTimeline({ collection, contactKey }: { collection: string; contactKey: string }) {
  const { t } = useTranslation('timeline');
  const query = useInfiniteQuery(timelineQuery(useOrganization(), collection, contactKey));
  return (
    <SectionCard title={t('title')}>
      <AsyncRegion query={query} what={t('records.what', { records: t('title') })}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          const cutNote = pages[0]?.is_cut === true && <QuietText>{t('cut', { count: maxSends })}</QuietText>;
          if (items.length === 0)
            return (
              <Stack align="center" gap={4} py="lg">
                <IconMail size={28} stroke={1.5} className="quiet-icon" aria-hidden />
                <Text fw={500}>{t('empty')}</Text>
                <QuietText ta="center">{t('emptyHint')}</QuietText>
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

/** One visit of a website: its first page, how many there were, and where the visitor came from. */
function TimelineVisit({ visit }: { visit: ContactVisit }) {
  const { t } = useTranslation('timeline');
  const { first_path, page_views, events_count, referrer_host, at, ended_at } = visit;
  const minutes = Math.round((Date.parse(ended_at) - Date.parse(at)) / 60_000);
  const more = [
    page_views > 0 ? t('pages', { count: page_views }) : '',
    events_count > page_views ? t('visitEvents', { count: events_count - page_views }) : '',
    minutes > 0 ? t('minutes', { count: minutes }) : '',
    referrer_host === null ? '' : t('cameFrom', { host: referrer_host }),
  ].filter((part) => part !== '');
  return (
    <TimelineEntry place={visit} at={at} end={<QuietText>{t('visit')}</QuietText>}>
      <TimelineLine icon={IconWorld}>
        {t('visitBegan', { path: first_path })}
        <Text span inherit c="dimmed">
          {' '}
          · {more.join(' · ')}
        </Text>
      </TimelineLine>
    </TimelineEntry>
  );
}
