import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackendOverview } from '#web/content/backend/backend-overview.tsx';
import { CopiesCard } from '#web/content/backend/copies-card.tsx';
import { contentBackendQuery, contentCopiesQuery } from '#web/content/backend/backend-query.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { RecordSkeleton } from '#web/ui/skeletons.tsx';

export const Route = createFileRoute('/o/$orgId/settings/content-backend')({
  loader: ({ context }) =>
    context.preload((scope) => [
      scope.can('update', 'Organization') && contentBackendQuery(scope),
      scope.can('update', 'Organization') && contentCopiesQuery(scope),
    ]),
  component: Page,
});

function Page() {
  return (
    <SettingsPage section="content-backend">
      <Stack gap="lg" maw={640}>
        <Backend />
        <Copies />
      </Stack>
    </SettingsPage>
  );
}

function Backend() {
  const { t } = useTranslation('backend');
  const query = useQuery(contentBackendQuery(useOrganization()));
  return (
    <AsyncRegion query={query} what={t('what')} skeleton={<RecordSkeleton />}>
      {(backend) => <BackendOverview backend={backend} />}
    </AsyncRegion>
  );
}

function Copies() {
  const { t } = useTranslation('backend');
  const query = useQuery(contentCopiesQuery(useOrganization()));
  return (
    <AsyncRegion query={query} what={t('copies.what')} skeleton={<RecordSkeleton />}>
      {(copies) => <CopiesCard copies={copies} />}
    </AsyncRegion>
  );
}
