import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BackendOverview } from '#web/content/backend/backend-overview.tsx';
import { contentBackendQuery } from '#web/content/backend/backend-query.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { SettingsPage } from '#web/shell/settings-page.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { RecordSkeleton } from '#web/ui/skeletons.tsx';

export const Route = createFileRoute('/o/$orgId/settings/content-backend')({
  loader: ({ context }) =>
    context.preload((scope) => [scope.can('update', 'Organization') && contentBackendQuery(scope)]),
  component: Page,
});

function Page() {
  return (
    <SettingsPage section="content-backend">
      <Stack gap="lg" maw={640}>
        <Backend />
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
