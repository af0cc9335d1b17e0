import { Group } from '@mantine/core';
import type { Campaign } from '@reachout/contract/campaigns.ts';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { SectionTitle } from '#web/ui/text.ts';
import { CampaignGraph } from './campaign-graph.tsx';

/** The event graph as a section of the page of its campaign. */
export default function CampaignEvents({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('eventGraph');
  const { orgId } = useOrganization();
  return (
    <section aria-labelledby="event-graph">
      <CampaignGraph
        campaign={campaign}
        isSection
        header={(create) => (
          <Group justify="space-between" gap="xs" mb="sm">
            <SectionTitle id="event-graph">{t('title')}</SectionTitle>
            {create && (
              <Group gap="xs">
                <LinkButton
                  to="/o/$orgId/events"
                  params={{ orgId }}
                  search={{ campaign: campaign.id, view: 'graph' }}
                >
                  {t('open')}
                </LinkButton>
                {create}
              </Group>
            )}
          </Group>
        )}
      />
    </section>
  );
}
