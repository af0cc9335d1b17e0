import type { Campaign } from '@reachout/contract/campaigns.ts';
import { campaignCan } from '@reachout/contract/states/campaign.ts';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { TouchpointList } from '#web/outreach/touchpoints/touchpoint-list.tsx';
import type { TouchpointsSearch } from '#web/outreach/touchpoints/touchpoints-query.ts';

interface Props {
  campaign: Campaign;
  search: TouchpointsSearch;
  onAdd: () => void;
}

export function CampaignTouchpoints({ campaign, search, onAdd }: Props) {
  const { t } = useTranslation(['campaigns', 'problems']);
  const isReader = !useOrganization().canEver('create', 'Touchpoint');
  return (
    <TouchpointList
      of={{ campaign_id: campaign.id }}
      search={search}
      empty={{
        title: t('emptyTouchpoints.title'),
        text: t(isReader ? 'emptyTouchpoints.reader' : 'emptyTouchpoints.body'),
        actions: (
          <PermittedButton
            permission={['create', 'Touchpoint']}
            reason={campaignCan.addTouchpoint(campaign) ? undefined : t('problems:code.campaign_archived')}
            onClick={onAdd}
          >
            {t('addTouchpoint')}
          </PermittedButton>
        ),
      }}
    />
  );
}
