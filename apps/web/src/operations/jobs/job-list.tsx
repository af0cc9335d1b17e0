import { Stack, Text, Title } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { JobFiguresTable } from './job-figures.tsx';
import { JobFilters } from './job-filters.tsx';
import { jobsQuery } from './job-queries.ts';
import { jobList, type JobSearch } from './job-search.ts';
import { JobTable } from './job-table.tsx';

/** Open and failed jobs of the installation, below the figures by kind. */
export function JobList({ search }: { search: JobSearch }) {
  const { t } = useTranslation('jobs');
  const query = useQuery(jobsQuery(search));
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
          <JobFiguresTable />
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
