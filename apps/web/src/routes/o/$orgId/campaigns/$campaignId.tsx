import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { CopyError } from '#web/content/backend/copy-error.tsx';
import { CampaignHeader } from '#web/outreach/campaigns/campaign-header.tsx';
import { loadConversionTexts, loadDomainTexts } from '#web/i18n/i18n.ts';
import { loadWithTexts } from '#web/platform/lazy-chunks.ts';
import { CampaignTouchpoints } from '#web/outreach/campaigns/campaign-touchpoints.tsx';
import { TouchpointForm } from '#web/outreach/touchpoints/touchpoint-form.tsx';
import { touchpointList, touchpointsQuery } from '#web/outreach/touchpoints/touchpoints-query.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DeletedState } from '#web/ui/deleted-state.tsx';
import { CardSkeleton } from '#web/ui/page-skeletons.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useRecordDeletion } from '#web/ui/deletion.ts';

const CampaignDomains = lazy(() =>
  loadWithTexts(() => import('#web/outreach/domains/campaign-domains.tsx'), loadDomainTexts),
);

const CampaignFunnel = lazy(() =>
  loadWithTexts(() => import('#web/insight/statistics/campaign-funnel.tsx'), loadConversionTexts),
);

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
        back={linkOptions({ to: '/o/$orgId/campaigns', params: { orgId: scope.orgId }, label: t('title') })}
        onUndo={deletion.restore}
      />
    );
  }
  return (
    <AsyncRegion page query={query} what={t('whatOne')}>
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
          {scope.can('read', 'Statistics') && (
            <Box mt="xl">
              <Suspense fallback={null}>
                <CampaignFunnel campaignId={campaignId} />
              </Suspense>
            </Box>
          )}
          {scope.can('read', 'Domain') && (
            <Box mt="xl">
              <Suspense fallback={<CardSkeleton lines={2} />}>
                <CampaignDomains campaign={campaign} />
              </Suspense>
            </Box>
          )}
          {adding && <TouchpointForm campaignId={campaignId} onClose={() => setAdding(false)} />}
        </>
      )}
    </AsyncRegion>
  );
}
