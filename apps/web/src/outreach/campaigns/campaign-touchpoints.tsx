import type { Campaign } from '@reachout/contract/campaigns.ts';
import { campaignCan } from '@reachout/contract/states/campaign.ts';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useListColumns } from '#web/identity/account/list-columns.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpointColumns } from '#web/outreach/touchpoints/touchpoint-columns.tsx';
import { TouchpointTable } from '#web/outreach/touchpoints/touchpoint-table.tsx';
import {
  type TouchpointsSearch,
  touchpointList,
  touchpointsQuery,
} from '#web/outreach/touchpoints/touchpoints-query.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useDeletedRecords } from '#web/ui/deletion.ts';

interface Props {
  campaign: Campaign;
  search: TouchpointsSearch;
  onAdd: () => void;
}

export function CampaignTouchpoints({ campaign, search, onAdd }: Props) {
  const { t } = useTranslation(['campaigns', 'problems']);
  const scope = useOrganization();
  const query = useQuery(touchpointsQuery(scope, { campaign_id: campaign.id }, search));
  const deletion = useDeletedRecords(scope.api.touchpoints);
  const { columns, choice } = useListColumns('touchpoints', useTouchpointColumns({ isGrouped: false }));
  return (
    <ListPage
      query={query}
      what={t('touchpoints')}
      empty={
        <EmptyState
          icon={IconMail}
          title={t('emptyTouchpoints.title')}
          actions={
            <PermittedButton
              permission={['create', 'Touchpoint']}
              reason={campaignCan.addTouchpoint(campaign) ? undefined : t('problems:code.campaign_archived')}
              variant="default"
              onClick={onAdd}
            >
              {t('addTouchpoint')}
            </PermittedButton>
          }
          text={t(
            scope.canEver('create', 'Touchpoint') ? 'emptyTouchpoints.body' : 'emptyTouchpoints.reader',
          )}
        />
      }
      actions={choice}
      list={touchpointList}
      deletion={deletion}
    >
      {(table) => <TouchpointTable {...table} deletion={deletion} columns={columns} />}
    </ListPage>
  );
}
