import { Button, Group, Paper, Text } from '@mantine/core';
import type { WebsiteEvent } from '@reachout/contract/websites.ts';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { RowsSkeleton } from '#web/ui/skeletons.tsx';
import { SectionTitle } from '#web/ui/text.ts';
import { Time } from '#web/ui/time.tsx';
import { pollMs } from './website-query.ts';

/** The newest events, as they arrive. */
export function LiveEvents() {
  const { t } = useTranslation('websites');
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const [isPaused, setPaused] = useState(false);
  const query = useQuery(
    api.websites.events.queryOptions({
      input: { id: touchpoint.id },
      enabled: !isPaused,
      refetchInterval: pollMs,
      meta: { quiet: true },
    }),
  );
  return (
    <Paper withBorder p="md" radius="md" component="section">
      <Group justify="space-between" align="flex-start" mb="md">
        <div>
          <SectionTitle>{t('tail.title')}</SectionTitle>
          <Text c="dimmed">{isPaused ? t('tail.isPaused') : t('tail.hint')}</Text>
        </div>
        <Button
          size="sm"
          leftSection={isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
          onClick={() => setPaused(!isPaused)}
        >
          {isPaused ? t('tail.resume') : t('tail.pause')}
        </Button>
      </Group>
      <AsyncRegion
        query={query}
        what={t('records.what', { records: t('tail.title') })}
        skeleton={<RowsSkeleton />}
      >
        {(events) =>
          events.length === 0 ? <Text c="dimmed">{t('tail.none')}</Text> : <EventTable events={events} />
        }
      </AsyncRegion>
    </Paper>
  );
}

function EventTable({ events }: { events: readonly WebsiteEvent[] }) {
  const { t, i18n } = useTranslation('websites');
  const countries = useMemo(() => new Intl.DisplayNames(i18n.language, { type: 'region' }), [i18n.language]);
  return (
    <PlainTable
      label={t('tail.title')}
      minWidth={720}
      maxHeight={480}
      rows={events}
      rowKey={({ id }) => id}
      columns={[
        { header: t('words.time'), cell: ({ at }) => <Time at={at} /> },
        {
          header: t('words.event'),
          cell: ({ type, name, is_bot }) => (
            <>
              {name ?? t(`tail.types.${type}`)}
              {is_bot && <span className="beside">{t('tail.bot')}</span>}
            </>
          ),
        },
        {
          header: t('words.page'),
          cell: ({ path, title }) => (
            <span className="break" title={title ?? undefined}>
              {path}
            </span>
          ),
        },
        { header: t('words.from'), cell: ({ referrer_host }) => referrer_host ?? t('tail.direct') },
        {
          header: t('words.country'),
          cell: ({ country }) => (country === null ? '' : (countries.of(country) ?? country)),
        },
        { header: t('tail.visitor'), cell: ({ visitor }) => visitor },
      ]}
    />
  );
}
