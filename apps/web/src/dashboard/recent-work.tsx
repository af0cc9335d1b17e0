import { SimpleGrid } from '@mantine/core';
import { hasEnded } from '@reachout/contract/states/send.ts';
import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sendOutcome } from '#web/delivery/sends/send-outcome.ts';
import { SendProgressBar } from '#web/delivery/sends/send-progress-bar.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { recentCampaignsQuery, recentSendsQuery, recentTouchpointsQuery } from './dashboard-queries.ts';
import { RecentCard } from './recent-card.tsx';

/** The campaigns, touchpoints and sends that changed last, as far as they may be seen. */
export function RecentWork() {
  const { can } = useOrganization();
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {can('read', 'Campaign') && <RecentCampaigns />}
        {can('read', 'Touchpoint') && <RecentTouchpoints />}
      </SimpleGrid>
      {can('read', 'Touchpoint') && <RecentSends />}
    </>
  );
}

function RecentCampaigns() {
  const { t } = useTranslation(['dashboard', 'campaigns']);
  const format = useFormat();
  const scope = useOrganization();
  const { orgId } = scope;
  return (
    <RecentCard
      title={t('recentCampaigns')}
      query={useQuery(recentCampaignsQuery(scope))}
      empty={t('noCampaigns')}
      all={linkOptions({ to: '/o/$orgId/campaigns', params: { orgId }, label: t('campaigns:title') })}
      row={({ id, name, brand, status, updated_at }) => ({
        brand,
        link: linkOptions({
          to: '/o/$orgId/campaigns/$campaignId',
          params: { orgId, campaignId: id },
          label: name,
        }),
        note: `${brand.client.name} › ${brand.name} · ${format.relative(updated_at)}`,
        status,
      })}
    />
  );
}

function RecentTouchpoints() {
  const { t } = useTranslation(['dashboard', 'touchpoints']);
  const scope = useOrganization();
  const { orgId } = scope;
  return (
    <RecentCard
      title={t('recentTouchpoints')}
      query={useQuery(recentTouchpointsQuery(scope))}
      empty={t('noTouchpoints')}
      all={linkOptions({ to: '/o/$orgId/touchpoints', params: { orgId }, label: t('touchpoints:title') })}
      row={({ id, name, brand, campaign, status }) => ({
        brand,
        link: linkOptions({
          to: `/o/$orgId/touchpoints/$touchpointId${status === 'sent' ? '/statistics' : ''}`,
          params: { orgId, touchpointId: id },
          label: name,
        }),
        note: `${campaign.name} · ${brand.name}`,
        status,
      })}
    />
  );
}

function RecentSends() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const scope = useOrganization();
  const { orgId } = scope;
  return (
    <RecentCard
      title={t('recentSends')}
      query={useQuery(recentSendsQuery(scope))}
      empty={t('noSends')}
      row={(send) => ({
        brand: send.brand,
        link: linkOptions({
          to: '/o/$orgId/touchpoints/$touchpointId/sends/$sendId',
          params: { orgId, touchpointId: send.touchpoint.id, sendId: send.id },
          label: send.touchpoint.name,
        }),
        note: `${send.brand.name} · ${format.dateTime(send.send_date)} · ${t('sentOf', {
          sent: format.number(send.recipients_total_sent_count),
          total: format.number(send.recipients_total_count),
        })}`,
        status: sendOutcome(send).status,
        progress: !hasEnded(send) && <SendProgressBar send={send} compact />,
      })}
    />
  );
}
