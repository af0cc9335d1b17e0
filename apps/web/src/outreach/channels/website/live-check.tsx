import { Alert, Anchor, Loader, Stack, Text } from '@mantine/core';
import type { Website } from '@reachout/contract/websites.ts';
import { IconAlertTriangle, IconCheck, IconPlayerPause } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';

const icon = { size: 18, stroke: 1.75 } as const;

/** Whether events arrive, and what prevents it. */
export function LiveCheck({ website }: { website: Website }) {
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
        <Alert color="yellow" variant="light" icon={<IconPlayerPause {...icon} />}>
          {t(status === 'paused' || status === 'archived' ? `check.${status}` : 'check.draft')}{' '}
          {website.hosts.length === 0 && t('check.noHost')}
        </Alert>
      )}
      {ofOtherHosts !== undefined && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle {...icon} />}>
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
      <Alert color="marine" variant="light" icon={<Loader size={18} />} title={t('check.waiting')}>
        {t('check.waitingHint')}
      </Alert>
    );
  const { host, pathname } = new URL(first_event.url);
  return (
    <Alert color="green" variant="light" icon={<IconCheck {...icon} />}>
      <Text span inherit className="break">
        {t('check.received', { at: format.dateTime(first_event.at), page: host + pathname })}{' '}
      </Text>
      {last_event_at !== null && t('check.last', { ago: format.relative(last_event_at) })}
    </Alert>
  );
}
