import { Text } from '@mantine/core';
import type { ContactVisit } from '@reachout/contract/contacts.ts';
import { IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { TimelineEntry, TimelineLine } from './timeline-entry.tsx';

/** One visit of a website: its first page, how many there were, and where the visitor came from. */
export function TimelineVisit({ visit }: { visit: ContactVisit }) {
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
    <TimelineEntry
      place={visit}
      at={at}
      end={
        <Text size="sm" c="dimmed">
          {t('visit')}
        </Text>
      }
    >
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
