import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { loadSettingsTexts } from '#web/i18n/i18n.ts';
import { meQuery } from '#web/identity/account/me-query.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import { JobList } from '#web/operations/jobs/job-list.tsx';
import { jobList } from '#web/operations/jobs/job-search.ts';
import { preload } from '#web/platform/preload.ts';
import { AccountFrame } from '#web/shell/account-frame.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ForbiddenState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/operator/jobs')({
  ...jobList.route,
  beforeLoad: async ({ context, location }) => {
    await requireSession(context.queryClient, location.href);
    await loadSettingsTexts();
  },
  loader: () => preload(async () => [(await import('#web/identity/account/me-query.ts')).meQuery]),
  component: Jobs,
});

function Jobs() {
  const { t } = useTranslation(['jobs', 'common']);
  const search = Route.useSearch();
  useDocumentTitle(`${t('title')} · ${t('common:product')}`);
  return (
    <AccountFrame>
      <AsyncRegion page query={useQuery(meQuery)} what={t('what')}>
        {({ is_operator }) =>
          is_operator ? <JobList search={search} /> : <ForbiddenState text={t('denied')} />
        }
      </AsyncRegion>
    </AccountFrame>
  );
}
