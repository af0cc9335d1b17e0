import { Stack } from '@mantine/core';
import { dashboardPeriods, defaultDashboardPeriod } from '@reachout/contract/rules/dashboard.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { NeedsAttention } from '#web/dashboard/attention.tsx';
import {
  canReadRecent,
  canReadResults,
  canReadWork,
  dashboardQueries,
  recentQuery,
  resultsQuery,
  workQuery,
} from '#web/dashboard/dashboard-queries.ts';
import { DashboardSkeleton } from '#web/dashboard/dashboard-skeleton.tsx';
import { NoClientYet } from '#web/dashboard/no-client-yet.tsx';
import { RecentWork } from '#web/dashboard/recent-work.tsx';
import { ResultsPanel } from '#web/dashboard/results-panel.tsx';
import { loadSendErrorTexts, loadSendTexts, loadSetupTexts } from '#web/i18n/i18n.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { NewEmailButton } from '#web/outreach/new-email/new-email-button.tsx';
import { useSetup } from '#web/operations/onboarding/setup.ts';
import { loadChunk, loadWithTexts } from '#web/platform/lazy-chunks.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { checked, compact, readChoice } from '#web/platform/list-search.ts';
import { refresh } from '#web/platform/query-client.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Loading } from '#web/ui/skeletons.tsx';
import { useDelayed } from '#web/ui/use-delayed.ts';
import { useFirstLoad } from '#web/ui/use-first-load.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';

const readSearch = checked((raw) =>
  compact({
    period: readChoice(raw['period'], dashboardPeriods),
    setup: raw['setup'] === true ? true : undefined,
  }),
);

export const Route = createFileRoute('/o/$orgId/')({
  validateSearch: readSearch,
  loaderDeps: ({ search: { period } }) => ({ period }),
  loader: ({ context, deps: { period = defaultDashboardPeriod } }) =>
    context.preload((scope) => dashboardQueries(scope, period)),
  component: Dashboard,
});

// Lazy: usually no send is in progress, and no problem has a reason from the send engine.
const OpenSends = lazy(async () => {
  const { OpenSends: card } = await loadWithTexts(
    () => import('#web/dashboard/open-sends.tsx'),
    loadSendTexts,
  );
  return { default: card };
});

const NeedsAttentionWithReasons = lazy(async () => {
  await loadChunk(loadSendErrorTexts);
  return { default: NeedsAttention };
});

// Lazy: most users have sent an email before.
const SetupChecklist = lazy(async () => {
  const { SetupChecklist: list } = await loadWithTexts(
    () => import('#web/operations/onboarding/setup-checklist.tsx'),
    loadSetupTexts,
  );
  return { default: list };
});

const ShowSetupItem = lazyPart(() => import('#web/operations/onboarding/show-setup-item.tsx'), {
  texts: loadSetupTexts,
});

function Dashboard() {
  const { t } = useTranslation('dashboard');
  const { setup } = useSetup();
  const { clientWantedFrom } = useOrganization();
  if (clientWantedFrom !== undefined) return <NoClientYet owners={clientWantedFrom} />;
  return (
    <>
      <PageHeader
        title={t('words.dashboard')}
        primary={<NewEmailButton />}
        more={setup?.hidden && <ShowSetupItem onClick={() => void setup.setHidden(false)} />}
      />
      <Cards />
    </>
  );
}

/**
 * What needs attention, then the figures, then what changed last. All parts are loaded before any is shown, so that the
 * layout does not shift; each part has its own error state.
 */
function Cards() {
  const { t } = useTranslation('dashboard');
  const scope = useOrganization();
  const skeleton = (
    <Loading what={t('what')}>
      <DashboardSkeleton />
    </Loading>
  );
  const { period = defaultDashboardPeriod, setup: wantsSetup = false } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { setup, isPending: isSetupPending } = useSetup();
  const work = useQuery({ ...workQuery(scope), enabled: canReadWork(scope) });
  // A send that starts or ends changes the figures and the lists.
  useOnChange(
    work.data?.open.map(({ id, status }) => `${id} ${status}`).join(),
    () => void refresh(scope.orgId),
  );
  const results = useQuery({ ...resultsQuery(scope, period), enabled: canReadResults(scope) });
  const recent = useQuery({ ...recentQuery(scope), enabled: canReadRecent(scope) });
  const isPending = useFirstLoad(
    isSetupPending || [work, results, recent].some(({ isLoading }) => isLoading),
  );
  const showSkeleton = useDelayed(isPending);
  if (isPending || showSkeleton) return showSkeleton ? skeleton : null;
  // After the first send the remaining tasks are in the navigation.
  const showsSetup = setup !== undefined && !setup.hidden && (!setup.hasSent || wantsSetup);
  return (
    <Suspense fallback={skeleton}>
      <Stack gap="lg">
        {showsSetup && <SetupChecklist setup={setup} />}
        {canReadWork(scope) && (
          <AsyncRegion query={work} what={t('open.what')} skeleton={null}>
            {(known) => (
              <>
                {known.open.length > 0 && <OpenSends work={known} />}
                {known.attention.some((item) => 'send' in item && item.send.error !== null) ? (
                  <NeedsAttentionWithReasons work={known} />
                ) : (
                  <NeedsAttention work={known} />
                )}
              </>
            )}
          </AsyncRegion>
        )}
        {canReadResults(scope) && (setup === undefined || setup.hasSent) && (
          <ResultsPanel
            period={period}
            onPeriod={(next) =>
              void navigate({
                search: (old) =>
                  compact({ ...old, period: next === defaultDashboardPeriod ? undefined : next }),
              })
            }
          />
        )}
        {canReadRecent(scope) && <RecentWork />}
      </Stack>
    </Suspense>
  );
}
