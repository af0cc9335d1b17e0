import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { CopyError } from '#web/content/backend/copy-error.tsx';
import { CampaignHeader } from '#web/outreach/campaigns/campaign-header.tsx';
import { loadConversionTexts, loadDomainTexts, loadEventGraphTexts } from '#web/i18n/i18n.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { CampaignTouchpoints } from '#web/outreach/campaigns/campaign-touchpoints.tsx';
import { TouchpointForm } from '#web/outreach/touchpoints/touchpoint-form.tsx';
import { touchpointList, touchpointsQuery } from '#web/outreach/touchpoints/touchpoints-query.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DeletedState } from '#web/ui/deleted-state.tsx';
import { CardSkeleton } from '#web/ui/page-skeletons.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useRecordDeletion } from '#web/ui/deletion.ts';

const CampaignDomains = lazyPart(() => import('#web/outreach/domains/campaign-domains.tsx'), {
  texts: loadDomainTexts,
  fallback: <CardSkeleton lines={2} />,
});

const CampaignEvents = lazyPart(() => import('#web/delivery/graph/campaign-events.tsx'), {
  texts: loadEventGraphTexts,
});

const CampaignFunnel = lazyPart(() => import('#web/insight/statistics/campaign-funnel.tsx'), {
  texts: loadConversionTexts,
});

const campaignQuery = ({ api }: OrganizationContext, id: string) =>
  api.campaigns.get.queryOptions({ input: { id } });

export const Route = createFileRoute('/o/$orgId/campaigns/$campaignId')({
  ...touchpointList.route,
  loader: ({ context, params: { campaignId }, deps }) =>
    context.preload((scope) => [
      campaignQuery(scope, campaignId),
      touchpointsQuery(scope, { campaign_id: campaignId }, deps),
    ]),
  component: CampaignPage,
});

function CampaignPage() {
  const { t } = useTranslation('campaigns');
  const { campaignId } = Route.useParams();
  const search = Route.useSearch();
  const scope = useOrganization();
  const query = useQuery(campaignQuery(scope, campaignId));
  const [adding, setAdding] = useState(false);
  const deletion = useRecordDeletion(campaignId, scope.api.campaigns);
  if (deletion.deletedName !== undefined) {
    return (
      <DeletedState
        text={t('deletedHere', { name: deletion.deletedName })}
        back={linkOptions({
          to: '/o/$orgId/campaigns',
          params: { orgId: scope.orgId },
          label: t('words.campaigns'),
        })}
        onUndo={deletion.restore}
      />
    );
  }
  return (
    <AsyncRegion page query={query} what={t('records.what', { records: t('words.campaign') })}>
      {(campaign) => (
        <>
          <CampaignHeader
            campaign={campaign}
            onAdd={() => setAdding(true)}
            onDelete={() => deletion.remove(campaign.name)}
          />
          <ActionError error={deletion.error} />
          <CopyError record={campaign} />
          <CampaignTouchpoints campaign={campaign} search={search} onAdd={() => setAdding(true)} />
          <Box mt="xl">
            <CampaignEvents campaign={campaign} />
          </Box>
          {scope.can('read', 'Statistics') && (
            <Box mt="xl">
              <CampaignFunnel campaignId={campaignId} />
            </Box>
          )}
          {scope.can('read', 'Domain') && (
            <Box mt="xl">
              <CampaignDomains campaign={campaign} />
            </Box>
          )}
          {adding && <TouchpointForm campaignId={campaignId} onClose={() => setAdding(false)} />}
        </>
      )}
    </AsyncRegion>
  );
}
