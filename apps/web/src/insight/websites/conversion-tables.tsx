import { Group, Stack, Text, Title } from '@mantine/core';
import type { WebsiteConversions } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { CsvLink } from '#web/insight/statistics/csv-link.tsx';
import { StackedTable } from '#web/insight/statistics/stacked-table.tsx';
import { useMoney } from '#web/identity/organizations/use-money.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';

interface Props {
  conversions: WebsiteConversions;
  touchpointId: string;
  /** In the format of the API. */
  period: string;
}

/** Conversions by goal, and by the email that led to them. */
export function ConversionTables({ conversions: { goals, emails }, ...place }: Props) {
  return (
    <Stack gap="lg">
      <Goals goals={goals} {...place} />
      {goals.length > 0 && <Emails emails={emails} {...place} />}
    </Stack>
  );
}

type Place = Omit<Props, 'conversions'>;

function Goals({ goals, touchpointId, period }: Place & Pick<WebsiteConversions, 'goals'>) {
  const { t } = useTranslation('websites');
  const format = useFormat();
  const money = useMoney();
  const { orgId, canEver } = useOrganization();
  return (
    <section aria-label={t('statistics.goals.title')}>
      <Title order={2} size="h3">
        {t('statistics.goals.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(goals.length === 0 ? 'statistics.goals.none' : 'statistics.goals.hint')}
      </Text>
      {goals.length === 0 ? (
        canEver('update', 'Touchpoint') && (
          <LinkButton
            variant="default"
            size="sm"
            to="/o/$orgId/touchpoints/$touchpointId/settings"
            params={{ orgId, touchpointId }}
          >
            {t('statistics.goals.add')}
          </LinkButton>
        )
      ) : (
        <>
          <StackedTable
            label={t('statistics.table', { title: t('statistics.goals.title') })}
            rows={goals}
            rowKey={({ goal_id }) => goal_id}
            columns={[
              { header: t('statistics.goals.event'), cell: ({ event }) => event },
              {
                header: t('statistics.tiles.conversions'),
                align: 'end',
                cell: (row) => format.number(row.conversions),
              },
              {
                header: t('statistics.tiles.visitors'),
                align: 'end',
                cell: (row) => format.number(row.converted_visitors),
              },
              {
                header: t('statistics.goals.attributed'),
                align: 'end',
                cell: (row) => format.number(row.attributed),
              },
              { header: t('statistics.value'), align: 'end', cell: (row) => money(row.value) },
              {
                header: t('statistics.before'),
                align: 'end',
                cell: (row) => format.number(row.previous_conversions),
              },
            ]}
          />
          <Group mt="sm">
            <CsvLink touchpointId={touchpointId} table="goals" period={period} />
          </Group>
        </>
      )}
    </section>
  );
}

function Emails({ emails, touchpointId, period }: Place & Pick<WebsiteConversions, 'emails'>) {
  const { t } = useTranslation('websites');
  const format = useFormat();
  const money = useMoney();
  const { orgId } = useOrganization();
  return (
    <section aria-label={t('statistics.emails.title')}>
      <Title order={2} size="h3" mb="sm">
        {t('statistics.emails.title')}
      </Title>
      {emails.length === 0 ? (
        <Text c="dimmed">{t('statistics.emails.none')}</Text>
      ) : (
        <>
          <StackedTable
            label={t('statistics.table', { title: t('statistics.emails.title') })}
            rows={emails}
            rowKey={({ touchpoint }) => touchpoint?.id ?? ''}
            columns={[
              {
                header: t('statistics.emails.email'),
                cell: ({ touchpoint }) =>
                  touchpoint === null ? (
                    t('statistics.emails.hidden')
                  ) : (
                    <LinkAnchor
                      inherit
                      to="/o/$orgId/touchpoints/$touchpointId/statistics"
                      params={{ orgId, touchpointId: touchpoint.id }}
                    >
                      {touchpoint.name}
                    </LinkAnchor>
                  ),
              },
              {
                header: t('statistics.emails.converted'),
                align: 'end',
                cell: (row) => format.number(row.converted),
              },
              {
                header: t('statistics.tiles.conversions'),
                align: 'end',
                cell: (row) => format.number(row.conversions),
              },
              { header: t('statistics.value'), align: 'end', cell: (row) => money(row.value) },
            ]}
          />
          <Group mt="sm">
            <CsvLink touchpointId={touchpointId} table="emails" period={period} />
          </Group>
        </>
      )}
    </section>
  );
}
