import { Alert, Group, Radio, type RadioGroupProps } from '@mantine/core';
import { campaignCan } from '@reachout/contract/states/campaign.ts';
import { readWebsiteHost } from '@reachout/contract/rules/website-hosts.ts';
import { isSent, touchpointTypes, type TouchpointType } from '@reachout/contract/states/touchpoint.ts';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ChannelIcon } from '#web/outreach/channels/channel-icon.tsx';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

/** Creates a touchpoint and opens its first page. With `campaignId` the campaign is fixed and not asked for. */
export function TouchpointForm({ campaignId, onClose }: { campaignId?: string; onClose: () => void }) {
  const { t } = useTranslation('touchpoints');
  const { api, orgId } = useOrganization();
  const navigate = useNavigate();
  const campaigns = useQuery(
    api.campaigns.list.queryOptions({
      input: { organization_id: orgId, order: 'name.asc', page: 0, page_size: 500 },
      enabled: campaignId === undefined,
    }),
  );
  const options = (campaigns.data?.items ?? [])
    .filter(campaignCan.addTouchpoint)
    .map((campaign) => ({ value: campaign.id, label: `${campaign.name} · ${campaign.brand.name}` }));
  const create = useMutation(api.touchpoints.create.mutationOptions());
  const form = useRecordForm(boundsOf('touchpoints.create'), {
    fields: {
      type: { label: t('words.type'), input: TypeChoice, initial: touchpointTypes[0] },
      name: { label: t('name'), hint: t('nameHint') },
      host: {
        label: t('websiteHost'),
        hint: t('websiteHostHint'),
        autoComplete: 'off',
        inputProps: { inputMode: 'url', spellCheck: false },
        isShown: ({ type }) => !isSent(type as TouchpointType),
      },
      campaign_id: {
        label: t('words.campaign'),
        initial: campaignId,
        missing: t('campaignMissing'),
        options,
        inputProps: { searchable: true },
        isShown: () => campaignId === undefined,
      },
    },
    checks: {
      host: (value) =>
        value.trim() === '' || readWebsiteHost(value) !== undefined ? null : t('websiteHostInvalid'),
    },
    save: async ({ host, ...values }) => {
      const created = await create.mutateAsync({
        organization_id: orgId,
        ...values,
        ...(isSent(values.type) || host === '' ? {} : { website: { hosts: [host] } }),
      });
      notify(t('created'));
      await navigate({
        to: '/o/$orgId/touchpoints/$touchpointId',
        params: { orgId, touchpointId: created.id },
      });
    },
  });
  return (
    <RecordDrawer form={form} title={t('new')} submitLabel={t('create')} onClose={onClose}>
      {campaignId === undefined && campaigns.isSuccess && options.length === 0 && (
        <Alert color="yellow" title={t('noCampaignYet')}>
          <LinkButton size="xs" to="/o/$orgId/campaigns" params={{ orgId }}>
            {t('toCampaigns')}
          </LinkButton>
        </Alert>
      )}
    </RecordDrawer>
  );
}

/** As cards with the icon of the channel. */
function TypeChoice(props: Omit<RadioGroupProps, 'children'>) {
  const { t } = useTranslation();
  return (
    <Radio.Group {...props}>
      <Group gap="xs" grow>
        {touchpointTypes.map((type) => (
          <Radio.Card key={type} value={type} p="sm" aria-label={t(`type.${type}`)}>
            <Group gap="xs" wrap="nowrap">
              <Radio.Indicator />
              <ChannelIcon type={type} />
              {t(`type.${type}`)}
            </Group>
          </Radio.Card>
        ))}
      </Group>
    </Radio.Group>
  );
}
