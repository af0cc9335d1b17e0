import { Alert } from '@mantine/core';
import { touchpointCan, touchpointStatuses } from '@reachout/contract/states/touchpoint.ts';
import type { TouchpointDetails } from '@reachout/contract/touchpoints.ts';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Navigate, Outlet, useChildMatches } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { loadTouchpointTexts } from '#web/i18n/i18n.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { CopyError } from '#web/content/backend/copy-error.tsx';
import { ReceiptSkeleton } from '#web/delivery/sends/send-skeletons.tsx';
import { TouchpointBadge } from '#web/delivery/sends/touchpoint-badge.tsx';
import { StatisticsSkeleton } from '#web/insight/statistics/statistics-skeleton.tsx';
import { channels, pagesOf } from '#web/outreach/channels/channels.ts';
import type { WorkspaceTab } from '#web/outreach/channels/channel.ts';
import { ComposeSkeleton } from '#web/outreach/channels/email/email-skeletons.tsx';
import { TouchpointContext, useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { touchpointQuery } from '#web/outreach/touchpoints/touchpoint-query.ts';
import { TouchpointHeader } from '#web/outreach/touchpoints/touchpoint-header.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { StackSkeleton } from '#web/ui/page-skeletons.tsx';
import { RecordSkeleton, RowsSkeleton } from '#web/ui/skeletons.tsx';
import { NotFoundState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId')({
  beforeLoad: loadTouchpointTexts,
  loader: ({ context, params }) => context.preload((scope) => [touchpointQuery(scope, params.touchpointId)]),
  component: Workspace,
});

const editors = ['overview', 'email', 'settings'];

function Workspace() {
  const { t } = useTranslation('touchpoints');
  const { touchpointId } = Route.useParams();
  const query = useQuery(touchpointQuery(useOrganization(), touchpointId));
  return (
    <AsyncRegion
      page
      query={query}
      what={t('records.what', { records: t('words.touchpoint') })}
      skeleton={<WorkspaceSkeleton />}
    >
      {(touchpoint) => <TouchpointWorkspace touchpoint={touchpoint} />}
    </AsyncRegion>
  );
}

function WorkspaceSkeleton() {
  return <RecordSkeleton tabs={4}>{skeletonOf(useTab())}</RecordSkeleton>;
}

/** Skeletons below the tabs, until the channel is known. */
const skeletons: Record<WorkspaceTab, ReactNode> = {
  overview: <StackSkeleton cards={[2, 4]} />,
  email: <ComposeSkeleton />,
  receipt: <ReceiptSkeleton />,
  statistics: <StatisticsSkeleton />,
  sends: <RowsSkeleton />,
  settings: <StackSkeleton cards={[1, 1, 1]} />,
};

const skeletonOf = (tab: string): ReactNode =>
  Object.hasOwn(skeletons, tab) ? skeletons[tab as WorkspaceTab] : skeletons.email;

/** Not from the URL, which is already that of the next page while this one is being left. */
const useTab = (): string =>
  useChildMatches({
    select: ([child]) => child?.routeId.slice(Route.id.length + 1).split('/')[0] ?? '',
  });

function TouchpointWorkspace({ touchpoint }: { touchpoint: TouchpointDetails }) {
  const { t } = useTranslation('touchpoints');
  const { can } = useOrganization();
  const tab = useTab();
  const canEdit = can('update', 'Touchpoint');
  return (
    <TouchpointContext value={{ touchpoint, canEdit: canEdit && touchpointCan.write(touchpoint) }}>
      <TouchpointHeader badge={<TouchpointBadge touchpoint={touchpoint} />} />
      <CopyError record={touchpoint} />
      {!canEdit && editors.includes(tab) && (
        <Alert color="gray" mb="md" icon={<IconLock size={18} />}>
          {t('readOnly')}
        </Alert>
      )}
      <Page tab={tab} openSendId={touchpoint.open_send_id} />
    </TouchpointContext>
  );
}

/**
 * The channel's page for this tab, or the route's if all channels share it. Without a tab, and for a page of another status,
 * redirects to the open send, or else to the first page.
 */
function Page({ tab, openSendId }: { tab: string; openSendId: string | null }) {
  const params = Route.useParams();
  const { touchpoint } = useTouchpoint();
  const pages = pagesOf(touchpoint);
  const page = pages.find((candidate) => candidate.tab === tab);
  if (page === undefined) {
    const tabs = touchpointStatuses.flatMap((status) =>
      channels[touchpoint.type].pages({ status, is_planned: true }),
    );
    if (tab !== '' && !tabs.some((candidate) => candidate.tab === tab)) return <NotFoundState order={2} />;
    return openSendId === null ? (
      <Navigate replace to={`/o/$orgId/touchpoints/$touchpointId/${pages[0].tab}`} params={params} />
    ) : (
      <Navigate
        replace
        to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
        params={{ ...params, sendId: openSendId }}
      />
    );
  }
  const { Panel = Outlet } = page;
  return (
    <Suspense fallback={skeletonOf(tab)}>
      <Panel />
    </Suspense>
  );
}
