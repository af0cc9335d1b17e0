import { Group, Stack, Text } from '@mantine/core';
import type { WebsiteConversions } from '@reachout/contract/statistics.ts';
import { useTranslation } from 'react-i18next';
import { countColumn } from '#web/identity/lists/columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { CsvLink } from '#web/insight/statistics/csv-link.tsx';
import { StackedTable } from '#web/insight/statistics/stacked-table.tsx';
import { useMoney } from '#web/identity/organizations/use-money.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';

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
type Goal = WebsiteConversions['goals'][number];
type Email = WebsiteConversions['emails'][number];

function Goals({ goals, touchpointId, period }: Place & Pick<WebsiteConversions, 'goals'>) {
  const { t } = useTranslation('websites');
  const money = useMoney();
  const { orgId, canEver } = useOrganization();
  return (
    <section aria-label={t('statistics.goals.title')}>
      <SectionTitle>{t('statistics.goals.title')}</SectionTitle>
      <QuietText mb="sm">
        {t(goals.length === 0 ? 'statistics.goals.none' : 'statistics.goals.hint')}
      </QuietText>
      {goals.length === 0 ? (
        canEver('update', 'Touchpoint') && (
          <LinkButton
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
            label={t('words.asTable', { title: t('statistics.goals.title') })}
            rows={goals}
            rowKey={({ goal_id }) => goal_id}
            columns={[
              { header: t('words.goal'), cell: ({ event }) => event },
              countColumn<Goal>('conversions', t('statistics.tiles.conversions'), (row) => row.conversions),
              countColumn<Goal>(
                'converted_visitors',
                t('statistics.tiles.visitors'),
                (row) => row.converted_visitors,
              ),
              countColumn<Goal>('attributed', t('statistics.goals.attributed'), (row) => row.attributed),
              { header: t('words.value'), align: 'end', cell: (row) => money(row.value) },
              countColumn<Goal>(
                'previous_conversions',
                t('statistics.before'),
                (row) => row.previous_conversions,
              ),
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
  const money = useMoney();
  const { orgId } = useOrganization();
  return (
    <section aria-label={t('statistics.emails.title')}>
      <SectionTitle mb="sm">{t('statistics.emails.title')}</SectionTitle>
      {emails.length === 0 ? (
        <Text c="dimmed">{t('statistics.emails.none')}</Text>
      ) : (
        <>
          <StackedTable
            label={t('words.asTable', { title: t('statistics.emails.title') })}
            rows={emails}
            rowKey={({ touchpoint }) => touchpoint?.id ?? ''}
            columns={[
              {
                header: t('words.email'),
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
              countColumn<Email>('converted', t('statistics.emails.converted'), (row) => row.converted),
              countColumn<Email>('conversions', t('statistics.tiles.conversions'), (row) => row.conversions),
              { header: t('words.value'), align: 'end', cell: (row) => money(row.value) },
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
