import { Alert, Anchor, Loader, Stack, Text } from '@mantine/core';
import type { Website } from '@reachout/contract/websites.ts';
import { IconAlertTriangle, IconCheck, IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { QuotaBar } from '#web/identity/organizations/quota-list.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { StackSkeleton } from '#web/ui/page-skeletons.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { Time } from '#web/ui/time.tsx';
import { InstallCard } from './install-card.tsx';
import { LiveEvents } from './live-events.tsx';
import { WebsiteHosts } from './website-hosts.tsx';
import { websiteQuery } from './website-query.ts';

/** Whether a website works, what happens on it, and how to set it up. */
export function WebsiteOverview() {
  const { t } = useTranslation('websites');
  const { touchpoint } = useTouchpoint();
  const query = useQuery(websiteQuery(useOrganization(), touchpoint.id));
  return (
    <AsyncRegion query={query} what={t('what')} skeleton={<StackSkeleton cards={[2, 4]} />}>
      {(website) => <Overview website={website} />}
    </AsyncRegion>
  );
}

function Overview({ website }: { website: Website }) {
  const { can } = useOrganization();
  // Until it works, the setup comes first. What is read meanwhile keeps its place.
  const [wasInstalled] = useState(website.first_event !== null);
  const setup = (
    <>
      <WebsiteHosts website={website} />
      <InstallCard website={website} />
    </>
  );
  return (
    <Stack gap="lg" maw={960}>
      <LiveCheck website={website} />
      {!wasInstalled && setup}
      {wasInstalled && <UseOfDay quotas={website.quotas} />}
      {can('read', 'Statistics') && <LiveEvents />}
      {website.drops.length > 0 && <DroppedEvents drops={website.drops} />}
      {wasInstalled && setup}
    </Stack>
  );
}

function UseOfDay({ quotas }: Pick<Website, 'quotas'>) {
  const { t } = useTranslation('websites');
  return (
    <SectionCard title={t('use.title')} hint={t('use.hint')}>
      <Stack gap="md">
        {quotas.map((quota) => (
          <QuotaBar key={quota.quota} quota={quota} name={t(`use.names.${quota.quota}`)} />
        ))}
      </Stack>
    </SectionCard>
  );
}

/** How many events were not stored, and why. */
function DroppedEvents({ drops }: Pick<Website, 'drops'>) {
  const { t } = useTranslation('websites');
  const format = useFormat();
  return (
    <SectionCard title={t('drops.title')} hint={t('drops.hint')}>
      <PlainTable
        label={t('drops.title')}
        rows={drops}
        rowKey={({ reason }) => reason}
        columns={[
          {
            header: t('words.reason'),
            cell: ({ reason }) => (
              <>
                {t(`drops.names.${reason}`)}
                <span className="beside">{t(`drops.reasons.${reason}`)}</span>
              </>
            ),
          },
          { header: t('statistics.tiles.events'), align: 'end', cell: ({ count }) => format.number(count) },
          { header: t('drops.last'), align: 'end', cell: ({ last_at }) => <Time at={last_at} /> },
        ]}
      />
    </SectionCard>
  );
}

/** Whether events arrive, and what prevents it. */
function LiveCheck({ website }: { website: Website }) {
  const { t } = useTranslation('websites');
  const format = useFormat();
  const { touchpoint } = useTouchpoint();
  const { status } = touchpoint;
  const ofOtherHosts = website.drops.find(({ reason }) => reason === 'host');
  return (
    <Stack gap="sm" component="section" role="status" aria-label={t('check.title')}>
      {status === 'active' ? (
        <Arrivals website={website} />
      ) : (
        <Alert color="yellow" icon={<IconPlayerPause size={18} />}>
          {t(status === 'paused' || status === 'archived' ? `check.${status}` : 'check.draft')}{' '}
          {website.hosts.length === 0 && t('check.noHost')}
        </Alert>
      )}
      {ofOtherHosts !== undefined && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />}>
          {t('check.otherHosts', { count: ofOtherHosts.count, ago: format.relative(ofOtherHosts.last_at) })}{' '}
          <Anchor inherit underline="always" href="#hosts">
            {t('check.toHosts')}
          </Anchor>
        </Alert>
      )}
    </Stack>
  );
}

function Arrivals({ website: { first_event, last_event_at } }: { website: Website }) {
  const { t } = useTranslation('websites');
  const format = useFormat();
  if (first_event === null)
    return (
      <Alert color="marine" icon={<Loader size={18} />} title={t('check.waiting')}>
        {t('check.waitingHint')}
      </Alert>
    );
  const { host, pathname } = new URL(first_event.url);
  return (
    <Alert color="green" icon={<IconCheck size={18} />}>
      <Text span inherit className="break">
        {t('check.received', { at: format.dateTime(first_event.at), page: host + pathname })}{' '}
      </Text>
      {last_event_at !== null && t('check.last', { ago: format.relative(last_event_at) })}
    </Alert>
  );
}
