import { Menu, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RecentCard } from '#web/dashboard/recent-card.tsx';
import { useSetup } from '#web/operations/onboarding/setup.ts';
import { SetupChecklist } from '#web/operations/onboarding/setup-checklist.tsx';
import classes from '#web/dashboard/recent-card.module.css';
import { useFormat } from '#web/i18n/format.ts';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { hasEnded } from '@reachout/contract/states/send.ts';
import { SendProgressBar } from '#web/delivery/sends/send-progress-bar.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

export const Route = createFileRoute('/o/$orgId/')({ component: Dashboard });

// The form and its fields are not part of the first load.
const CampaignForm = lazy(async () => {
  const { CampaignForm: form } = await loadChunk(() => import('#web/outreach/campaigns/campaign-form.tsx'));
  return { default: form };
});

const runningMs = 3_000;

function Dashboard() {
  const { t } = useTranslation(['dashboard', 'campaigns', 'touchpoints']);
  const format = useFormat();
  const { api, orgId } = useOrganization();
  const [creating, setCreating] = useState(false);
  const setup = useSetup();
  const input = { organization_id: orgId };
  const campaigns = useQuery(api.campaigns.recent.queryOptions({ input }));
  const touchpoints = useQuery(api.touchpoints.recent.queryOptions({ input }));
  const sends = useQuery(
    api.sends.recent.queryOptions({
      input,
      meta: { quiet: true },
      refetchInterval: ({ state }) => {
        if (state.data?.some((send) => !hasEnded(send))) return runningMs;
        return false;
      },
    }),
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        primary={
          <CreateButton permission={['create', 'Campaign']} onClick={() => setCreating(true)}>
            {t('campaigns:new')}
          </CreateButton>
        }
        more={
          setup?.hidden && (
            <Menu.Item onClick={() => void setup.setHidden(false)}>{t('setup.show')}</Menu.Item>
          )
        }
      />
      <Stack gap="lg">
        {setup?.hidden === false && <SetupChecklist setup={setup} />}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <RecentCard
            title={t('recentCampaigns')}
            query={campaigns}
            empty={t('noCampaigns')}
            rowKey={(campaign) => campaign.id}
            all={
              <LinkAnchor
                size="sm"
                to="/o/$orgId/campaigns"
                params={{ orgId }}
                aria-label={`${t('all')}: ${t('campaigns:title')}`}
              >
                {t('all')}
              </LinkAnchor>
            }
            row={(campaign) => (
              <>
                <Logo name={campaign.brand.name} logo={campaign.brand.logo_url} />
                <div className={classes.words}>
                  <LinkAnchor
                    to="/o/$orgId/campaigns/$campaignId"
                    params={{ orgId, campaignId: campaign.id }}
                    fw={500}
                  >
                    {campaign.name}
                  </LinkAnchor>
                  <Text size="xs" c="dimmed">
                    {campaign.brand.client.name} › {campaign.brand.name} ·{' '}
                    {format.relative(campaign.updated_at)}
                  </Text>
                </div>
                <StatusBadge status={campaign.status} />
              </>
            )}
          />
          <RecentCard
            title={t('recentTouchpoints')}
            query={touchpoints}
            empty={t('noTouchpoints')}
            rowKey={(touchpoint) => touchpoint.id}
            all={
              <LinkAnchor
                size="sm"
                to="/o/$orgId/touchpoints"
                params={{ orgId }}
                aria-label={`${t('all')}: ${t('touchpoints:title')}`}
              >
                {t('all')}
              </LinkAnchor>
            }
            row={(touchpoint) => (
              <>
                <Logo name={touchpoint.brand.name} logo={touchpoint.brand.logo_url} />
                <div className={classes.words}>
                  <LinkAnchor
                    to={`/o/$orgId/touchpoints/$touchpointId/${touchpoint.status === 'sent' ? 'statistics' : 'design'}`}
                    params={{ orgId, touchpointId: touchpoint.id }}
                    fw={500}
                  >
                    {touchpoint.name}
                  </LinkAnchor>
                  <Text size="xs" c="dimmed">
                    {touchpoint.campaign.name} · {touchpoint.brand.name}
                  </Text>
                </div>
                <StatusBadge status={touchpoint.status} />
              </>
            )}
          />
        </SimpleGrid>
        <RecentCard
          title={t('recentSends')}
          query={sends}
          empty={t('noSends')}
          rowKey={(send) => send.id}
          row={(send) => (
            <>
              <Logo name={send.brand.name} />
              <div className={classes.words}>
                <LinkAnchor
                  to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
                  params={{ orgId, touchpointId: send.touchpoint.id, sendId: send.id }}
                  fw={500}
                >
                  {send.touchpoint.name}
                </LinkAnchor>
                <Text size="xs" c="dimmed">
                  {send.brand.name} · {format.dateTime(send.send_date)} ·{' '}
                  {t('sentOf', {
                    sent: format.number(send.recipients_total_sent_count),
                    total: format.number(send.recipients_total_count),
                  })}
                </Text>
                {!hasEnded(send) && <SendProgressBar send={send} compact />}
              </div>
              <StatusBadge status={send.status} />
            </>
          )}
        />
      </Stack>
      {creating && (
        <Suspense fallback={null}>
          <CampaignForm onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}
