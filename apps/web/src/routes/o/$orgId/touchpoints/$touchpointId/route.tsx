import { Alert, Group } from '@mantine/core';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Navigate, Outlet, useChildMatches, linkOptions } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { channels } from '#web/outreach/channels/channels.ts';
import { lockOf, TouchpointContext, useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { WorkspaceTabs } from '#web/outreach/touchpoints/workspace-tabs.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { NotFoundState } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const touchpointQuery = ({ api }: OrganizationContext, id: string) =>
  api.touchpoints.get.queryOptions({ input: { id } });

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId')({
  loader: ({ context, params }) => context.preload((scope) => [touchpointQuery(scope, params.touchpointId)]),
  component: Workspace,
});

const editors = ['design', 'audience', 'settings'];

function Workspace() {
  const { t } = useTranslation('touchpoints');
  const { touchpointId } = Route.useParams();
  const query = useQuery(touchpointQuery(useOrganization(), touchpointId));
  return (
    <AsyncRegion page query={query} what={t('whatOne')} skeleton={<PanelSkeleton height={480} />}>
      {(touchpoint) => <TouchpointWorkspace touchpoint={touchpoint} />}
    </AsyncRegion>
  );
}

function TouchpointWorkspace({ touchpoint }: { touchpoint: Touchpoint }) {
  const { t } = useTranslation('touchpoints');
  const { orgId, can } = useOrganization();
  // Not by the address, which is that of the next page already while this one is being left.
  const tab = useChildMatches({
    select: ([child]) => child?.routeId.slice(Route.id.length + 1).split('/')[0] ?? '',
  });
  // Where nothing is edited, nobody needs to hear that editing is over.
  const isEditor = editors.includes(tab);
  const lock = lockOf(touchpoint);
  const canEdit = can('update', 'Touchpoint');
  const { Note } = channels[touchpoint.type];
  return (
    <TouchpointContext value={{ touchpoint, lock, canEdit: canEdit && !lock }}>
      <PageHeader
        title={touchpoint.name}
        section={touchpoint.campaign.name}
        crumbs={linkOptions([
          {
            to: '/o/$orgId/clients/$clientId',
            params: { orgId, clientId: touchpoint.client.id },
            label: touchpoint.client.name,
          },
          {
            to: '/o/$orgId/brands/$brandId',
            params: { orgId, brandId: touchpoint.brand.id },
            label: touchpoint.brand.name,
          },
          {
            to: '/o/$orgId/campaigns/$campaignId',
            params: { orgId, campaignId: touchpoint.campaign.id },
            label: touchpoint.campaign.name,
          },
        ])}
        badge={<StatusBadge status={touchpoint.status} />}
        note={
          <Group gap={8} wrap="nowrap" align="flex-start">
            <Logo name={touchpoint.brand.name} logo={touchpoint.brand.logo_url} size={20} />
            {touchpoint.client.name} › {touchpoint.brand.name}
            {Note && (
              <>
                {' · '}
                <Note />
              </>
            )}
          </Group>
        }
      />
      <WorkspaceTabs />
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
      <Page tab={tab} />
    </TouchpointContext>
  );
}

/** The page of the channel under this tab; that of the route where all channels share it. Without a tab, the first. */
function Page({ tab }: { tab: string }) {
  const params = Route.useParams();
  const { touchpoint } = useTouchpoint();
  const { pages } = channels[touchpoint.type];
  if (tab === '')
    return <Navigate replace to={`/o/$orgId/touchpoints/$touchpointId/${pages[0].tab}`} params={params} />;
  const page = pages.find((candidate) => candidate.tab === tab);
  if (page === undefined) return <NotFoundState order={2} />;
  const { Panel = Outlet } = page;
  return (
    <Suspense fallback={<PanelSkeleton height={480} />}>
      <Panel />
    </Suspense>
  );
}
