import { Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconChecks } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { loadSettingsTexts } from '#web/i18n/i18n.ts';
import { requireSession } from '#web/identity/auth/guards.ts';
import { JobFiguresTable, jobFiguresQuery } from '#web/operations/jobs/job-figures.tsx';
import { JobFilters } from '#web/operations/jobs/job-filters.tsx';
import { jobList, type JobSearch } from '#web/operations/jobs/job-search.ts';
import { JobTable } from '#web/operations/jobs/job-table.tsx';
import { api, type Api } from '#web/platform/api.ts';
import { compact } from '#web/platform/list-search.ts';
import { preload } from '#web/platform/preload.ts';
import { isProblem } from '#web/platform/problem.ts';
import { AccountFrame } from '#web/shell/account-frame.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState, ForbiddenState } from '#web/ui/states.tsx';

const refreshMs = 5_000;

const jobsQuery = ({ jobs }: Api, { kind, state, ...search }: JobSearch) =>
  jobs.list.queryOptions({
    input: { ...jobList.input(search), ...compact({ kind, state }) },
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
    meta: { quiet: true },
  });

export const Route = createFileRoute('/operator/jobs')({
  ...jobList.route,
  beforeLoad: async ({ context, location }) => {
    await requireSession(context.queryClient, location.href);
    await loadSettingsTexts();
  },
  loader: ({ deps }) =>
    preload(async () => {
      const { api: loaded } = await import('#web/platform/api.ts');
      return [jobsQuery(loaded, deps), jobFiguresQuery(loaded)];
    }),
  component: () => (
    <AccountFrame>
      <Jobs />
    </AccountFrame>
  ),
});

function Jobs() {
  const { t } = useTranslation(['jobs', 'common']);
  const search = Route.useSearch();
  const query = useQuery(jobsQuery(api, search));
  useDocumentTitle(`${t('title')} · ${t('common:product')}`);
  if (isProblem(query.error, 403)) return <ForbiddenState text={t('denied')} />;
  return (
    <ListPage
      query={query}
      what={t('what')}
      header={() => (
        <Stack gap="lg" mb="lg">
          <div>
            <Title order={1} mb={4}>
              {t('title')}
            </Title>
            <Text c="dimmed">{t('intro')}</Text>
          </div>
          <JobFiguresTable api={api} />
        </Stack>
      )}
      filters={<JobFilters search={search} />}
      filtered={search.kind !== undefined || search.state !== undefined}
      noResults={t('noMatch')}
      empty={<EmptyState icon={IconChecks} title={t('empty.title')} text={t('empty.body')} />}
      list={jobList}
    >
      {(table) => <JobTable {...table} />}
    </ListPage>
  );
}
