import { Alert, Group } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Mark } from '#web/identity/organizations/organization-logo.tsx';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { lockOf, TouchpointContext } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { WorkspaceTabs } from '#web/outreach/touchpoints/workspace-tabs.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId')({ component: Workspace });

const editors = ['design', 'audience', 'settings'];

function Workspace() {
  const { t } = useTranslation('touchpoints');
  const { touchpointId } = Route.useParams();
  const { api, orgId, can } = useOrganization();
  const { pathname } = useLocation();
  // Where nothing is edited, nobody needs to hear that editing is over.
  const isEditor = editors.some((editor) => pathname.endsWith(`/${editor}`));
  const touchpointQuery = useQuery(api.touchpoints.get.queryOptions({ input: { id: touchpointId } }));
  const emailQuery = useQuery(api.touchpoints.getEmail.queryOptions({ input: { id: touchpointId } }));

  return (
    <AsyncRegion page query={touchpointQuery} what={t('whatOne')} skeleton={<PanelSkeleton height={480} />}>
      {(touchpoint) => (
        <AsyncRegion page query={emailQuery} what={t('whatOne')} skeleton={<PanelSkeleton height={480} />}>
          {(email) => {
            const lock = lockOf(touchpoint.status);
            const canEdit = can('update', 'Touchpoint');
            return (
              <TouchpointContext value={{ touchpoint, email, lock, canEdit: canEdit && !lock }}>
                <PageHeader
                  title={touchpoint.name}
                  section={touchpoint.campaign.name}
                  crumbs={[
                    <LinkAnchor
                      key="client"
                      to="/o/$orgId/clients/$clientId"
                      params={{ orgId, clientId: touchpoint.client.id }}
                    >
                      {touchpoint.client.name}
                    </LinkAnchor>,
                    <LinkAnchor
                      key="brand"
                      to="/o/$orgId/brands/$brandId"
                      params={{ orgId, brandId: touchpoint.brand.id }}
                    >
                      {touchpoint.brand.name}
                    </LinkAnchor>,
                    <LinkAnchor
                      key="campaign"
                      to="/o/$orgId/campaigns/$campaignId"
                      params={{ orgId, campaignId: touchpoint.campaign.id }}
                    >
                      {touchpoint.campaign.name}
                    </LinkAnchor>,
                  ]}
                  badge={<StatusBadge status={touchpoint.status} />}
                  note={
                    <Group gap={8} wrap="nowrap" align="flex-start">
                      <Mark name={touchpoint.brand.name} logo={touchpoint.brand.logo_url} size={20} />
                      {touchpoint.client.name} › {touchpoint.brand.name} ·{' '}
                      {email.from_email ? t('from', { address: email.from_email }) : t('noSender')}
                    </Group>
                  }
                />
                <WorkspaceTabs touchpointId={touchpointId} />
                {lock && isEditor && (
                  <Alert
                    color="marine"
                    variant="light"
                    mb="md"
                    icon={<IconLock size={18} stroke={1.75} />}
                    title={t('locked.title')}
                  >
                    {t(`locked.${lock}`)}
                  </Alert>
                )}
                {!canEdit && isEditor && (
                  <Alert color="gray" variant="light" mb="md" icon={<IconLock size={18} stroke={1.75} />}>
                    {t('readOnly')}
                  </Alert>
                )}
                <Outlet />
              </TouchpointContext>
            );
          }}
        </AsyncRegion>
      )}
    </AsyncRegion>
  );
}
