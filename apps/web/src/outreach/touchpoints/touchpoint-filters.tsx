import { NativeSelect } from '@mantine/core';
import { campaignStatuses, type CampaignStatus } from '@reachout/contract/states/campaign.ts';
import {
  touchpointStatuses,
  touchpointTypes,
  type TouchpointStatus,
  type TouchpointType,
} from '@reachout/contract/states/touchpoint.ts';
import { useTranslation } from 'react-i18next';
import { readChoice } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';

interface Search {
  campaign?: CampaignStatus;
  status?: TouchpointStatus;
  type?: TouchpointType;
}

export function TouchpointFilters({ search: { campaign, status, type } }: { search: Search }) {
  const { t } = useTranslation(['touchpoints', 'common']);
  const change = useChangeSearch<Search>();
  const any = { value: '', label: t('any') };
  return (
    <>
      <NativeSelect
        label={t('type')}
        value={type ?? ''}
        data={[any, ...touchpointTypes.map((value) => ({ value, label: t(`common:type.${value}`) }))]}
        onChange={(event) => change({ type: readChoice(event.currentTarget.value, touchpointTypes) })}
      />
      <NativeSelect
        label={t('campaignStatus')}
        value={campaign ?? ''}
        data={[any, ...campaignStatuses.map((value) => ({ value, label: t(`common:status.${value}`) }))]}
        onChange={(event) => change({ campaign: readChoice(event.currentTarget.value, campaignStatuses) })}
      />
      <NativeSelect
        label={t('touchpointStatus')}
        value={status ?? ''}
        data={[any, ...touchpointStatuses.map((value) => ({ value, label: t(`common:status.${value}`) }))]}
        onChange={(event) => change({ status: readChoice(event.currentTarget.value, touchpointStatuses) })}
      />
    </>
  );
}
