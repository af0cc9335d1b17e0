import { Box, Paper } from '@mantine/core';
import type { CampaignFunnel as Numbers } from '@reachout/contract/statistics.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useMoney } from '#web/identity/organizations/use-money.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { SubTitle } from '#web/ui/text.ts';
import { CountedUntil } from './counted-until.tsx';
import { Funnel } from './funnel.tsx';

/** From the delivered messages of a campaign to their conversions; nothing before its first send. */
export default function CampaignFunnel({ campaignId }: { campaignId: string }) {
  const { t } = useTranslation('conversions');
  const { api } = useOrganization();
  const query = useQuery(api.statistics.campaignFunnel.queryOptions({ input: { id: campaignId } }));
  return (
    <AsyncRegion query={query} what={t('funnel.what')} skeleton={<PanelSkeleton />}>
      {({ total, emails, counted }) =>
        emails.length > 0 && (
          <Paper withBorder p="md" radius="md">
            <Funnel numbers={total} scope={t('funnel.campaignHint')} />
            <ByEmail emails={emails} />
            <Box mt="sm">
              <CountedUntil counted={counted} />
            </Box>
          </Paper>
        )
      }
    </AsyncRegion>
  );
}

function ByEmail({ emails }: Pick<Numbers, 'emails'>) {
  const { t } = useTranslation('conversions');
  const format = useFormat();
  const money = useMoney();
  const { orgId } = useOrganization();
  const counts = ['delivered', 'clicked', 'visited', 'converted', 'conversions'] as const;
  return (
    <section aria-label={t('funnel.byEmail')}>
      <SubTitle mt="lg" mb="xs">
        {t('funnel.byEmail')}
      </SubTitle>
      <PlainTable
        label={t('funnel.byEmail')}
        minWidth={600}
        rows={emails}
        rowKey={({ touchpoint }) => touchpoint.id}
        columns={[
          {
            header: t('funnel.email'),
            cell: ({ touchpoint: { id, name } }) => (
              <LinkAnchor
                to="/o/$orgId/touchpoints/$touchpointId/statistics"
                params={{ orgId, touchpointId: id }}
                inherit
              >
                {name}
              </LinkAnchor>
            ),
          },
          ...counts.map((count) => ({
            header: t(`funnel.short.${count}`),
            align: 'end' as const,
            cell: (row: Numbers['emails'][number]) => format.number(row[count]),
          })),
          { header: t('funnel.value'), align: 'end', cell: (row) => money(row.conversion_value) },
        ]}
      />
    </section>
  );
}
