import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { TouchpointTable, useTouchpointDeletion } from '#web/outreach/touchpoints/touchpoint-table.tsx';
import {
  touchpointsDefaultOrder,
  touchpointsPageSize,
  touchpointsQuery,
  type TouchpointsSearch,
} from '#web/outreach/touchpoints/touchpoints-query.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

interface Props {
  campaignId: string;
  search: TouchpointsSearch;
  onAdd: () => void;
}

export function CampaignTouchpoints({ campaignId, search, onAdd }: Props) {
  const { t } = useTranslation('campaigns');
  const scope = useOrganization();
  const query = useQuery(touchpointsQuery(scope, { campaign_id: campaignId }, search));
  const deletion = useTouchpointDeletion();
  return (
    <ListPage
      query={query}
      what={t('touchpoints')}
      empty={
        <EmptyState
          icon={<IconMail size={28} stroke={1.75} />}
          title={t('emptyTouchpoints.title')}
          actions={
            <PermittedButton permission={['create', 'Touchpoint']} variant="default" onClick={onAdd}>
              {t('addTouchpoint')}
            </PermittedButton>
          }
        >
          {t(scope.canEver('create', 'Touchpoint') ? 'emptyTouchpoints.body' : 'emptyTouchpoints.reader')}
        </EmptyState>
      }
      defaultOrder={touchpointsDefaultOrder}
      pageSize={touchpointsPageSize}
      deletion={deletion}
    >
      {(rows, table) => <TouchpointTable {...table} rows={rows} deletion={deletion} />}
    </ListPage>
  );
}
