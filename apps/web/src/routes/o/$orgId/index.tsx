import { Menu, Stack } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  recentCampaignsQuery,
  recentSendsQuery,
  recentTouchpointsQuery,
} from '#web/dashboard/dashboard-queries.ts';
import { NoClientYet } from '#web/dashboard/no-client-yet.tsx';
import { RecentWork } from '#web/dashboard/recent-work.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { SetupChecklist } from '#web/operations/onboarding/setup-checklist.tsx';
import { setupQuery } from '#web/operations/onboarding/setup-query.ts';
import { useIsSetupExpected, useSetup } from '#web/operations/onboarding/setup.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';

export const Route = createFileRoute('/o/$orgId/')({
  loader: ({ context }) =>
    context.preload((scope) => [
      scope.can('create', 'Client') && setupQuery(scope),
      scope.can('read', 'Campaign') && recentCampaignsQuery(scope),
      ...(scope.can('read', 'Touchpoint') ? [recentTouchpointsQuery(scope), recentSendsQuery(scope)] : []),
    ]),
  component: Dashboard,
});

// The form and its fields are not part of the first load.
const CampaignForm = lazy(async () => {
  const { CampaignForm: form } = await loadChunk(() => import('#web/outreach/campaigns/campaign-form.tsx'));
  return { default: form };
});

function Dashboard() {
  const { t } = useTranslation(['dashboard', 'campaigns']);
  const [creating, setCreating] = useState(false);
  const setup = useSetup();
  const isSetupExpected = useIsSetupExpected(setup);
  const { clientWantedFrom } = useOrganization();
  if (clientWantedFrom !== undefined) return <NoClientYet owners={clientWantedFrom} />;
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
        {isSetupExpected && <PanelSkeleton height={226} />}
        <RecentWork />
      </Stack>
      {creating && (
        <Suspense fallback={null}>
          <CampaignForm onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}
