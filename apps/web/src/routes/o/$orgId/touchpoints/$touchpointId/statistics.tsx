import { Alert, Paper, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { IconChartBar, IconClock } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { checked, readChoice } from '#web/platform/list-search.ts';
import { currentTimeZone } from '#web/platform/preferences.ts';
import { EmailChart } from '#web/insight/statistics/email-chart.tsx';
import { EventList } from '#web/insight/statistics/event-list.tsx';
import { LinkTable } from '#web/insight/statistics/link-table.tsx';
import { Tiles } from '#web/insight/statistics/tiles.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const periods = ['1day', '7day', '30day', '12month'] as const;

interface Search {
  period?: (typeof periods)[number];
}

export const Route = createFileRoute('/o/$orgId/touchpoints/$touchpointId/statistics')({
  validateSearch: checked((raw): Search => {
    const period = readChoice(raw['period'], periods);
    return period === undefined ? {} : { period };
  }),
  component: Statistics,
});

const waitingMs = 15_000;
const fewEvents = 10;

function Statistics() {
  const { t } = useTranslation('statistics');
  const format = useFormat();
  const { api, orgId, canEver } = useOrganization();
  const { touchpointId } = Route.useParams();
  const { period = '7day' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const where = { organization_id: orgId, touchpoint: touchpointId };
  const timeZone = currentTimeZone();
  const live = { refetchInterval: waitingMs, meta: { quiet: true } };

  const stats = useQuery(
    api.statistics.emailStats.queryOptions({ input: { ...where, time_zone: timeZone }, ...live }),
  );
  const chart = useQuery(
    api.statistics.emailChart.queryOptions({
      input: { ...where, period, time_zone: timeZone },
      placeholderData: keepPreviousData,
      ...live,
    }),
  );
  const links = useQuery(api.statistics.emailLinks.queryOptions({ input: where, ...live }));
  const events = useQuery(
    api.statistics.emailEvents.queryOptions({ input: { ...where, limit: fewEvents }, ...live }),
  );
  const sent = useQuery(
    api.sends.listOfTouchpoint.queryOptions({ input: { id: touchpointId, page: 0, page_size: 1 } }),
  );
  const latest = sent.data?.items[0];
  const choosePeriod = (
    <SegmentedControl
      size="xs"
      aria-label={t('period.label')}
      value={period}
      onChange={(next) => void navigate({ search: { period: next } })}
      data={periods.map((value) => ({ value, label: t(`period.${value}`) }))}
    />
  );

  return (
    <AsyncRegion query={stats} what={t('what')} skeleton={<PanelSkeleton height={420} />}>
      {({ data }) =>
        data.recipients === 0 && sent.data?.count === 0 ? (
          <EmptyState
            icon={IconChartBar}
            title={t('empty.title')}
            actions={
              canEver('send', 'Touchpoint') && (
                <LinkButton
                  to="/o/$orgId/touchpoints/$touchpointId/schedule"
                  params={{ orgId, touchpointId }}
                >
                  {t('empty.action')}
                </LinkButton>
              )
            }
            text={t('empty.body')}
          />
        ) : (
          <Stack gap="lg">
            {data.sent > 0 && data.opened.total === 0 && latest && (
              <Alert
                color="marine"
                variant="light"
                icon={<IconClock size={18} stroke={1.75} />}
                title={t('waiting.title')}
              >
                {t('waiting.body', { ago: format.relative(latest.send_date) })}
              </Alert>
            )}
            <Tiles stats={data} />
            <Paper withBorder p="md" radius="md">
              <AsyncRegion query={chart} what={t('chart.title')} skeleton={<PanelSkeleton height={320} />}>
                {(response) => <EmailChart chart={response.data} controls={choosePeriod} />}
              </AsyncRegion>
            </Paper>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <Paper withBorder p="md" radius="md">
                <AsyncRegion query={links} what={t('links.title')} skeleton={<PanelSkeleton height={160} />}>
                  {(response) => <LinkTable rows={response.data} />}
                </AsyncRegion>
              </Paper>
              <Paper withBorder p="md" radius="md">
                <AsyncRegion
                  query={events}
                  what={t('events.title')}
                  skeleton={<PanelSkeleton height={160} />}
                >
                  {(response) => <EventList rows={response.data} />}
                </AsyncRegion>
              </Paper>
            </SimpleGrid>
          </Stack>
        )
      }
    </AsyncRegion>
  );
}
