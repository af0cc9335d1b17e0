import { Alert, Group, Radio, Select, TextInput } from '@mantine/core';
import { campaignCan } from '@reachout/contract/states/campaign.ts';
import { readWebsiteHost } from '@reachout/contract/rules/website-hosts.ts';
import { isSent, touchpointTypes } from '@reachout/contract/states/touchpoint.ts';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ChannelIcon } from '#web/outreach/channels/channel-icon.tsx';
import { LinkButton } from '#web/platform/links.tsx';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { notify } from '#web/ui/notify.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';

/** Creates a touchpoint and opens its first page. With `campaignId` the campaign is fixed and not asked for. */
export function TouchpointForm({ campaignId, onClose }: { campaignId?: string; onClose: () => void }) {
  const { t } = useTranslation(['touchpoints', 'common']);
  const { api, orgId } = useOrganization();
  const navigate = useNavigate();
  const checkName = useNameCheck();
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
  const form = useServerForm({
    initial: { type: touchpointTypes[0], name: '', host: '', campaign_id: campaignId ?? '' },
    checks: {
      name: checkName,
      host: (value, { type }) =>
        isSent(type) || value.trim() === '' || readWebsiteHost(value) !== undefined
          ? null
          : t('websiteHostInvalid'),
      campaign_id: (value) => (value === '' ? t('campaignMissing') : null),
    },
    submit: async ({ type, name, host, campaign_id }) => {
      const created = await create.mutateAsync({
        organization_id: orgId,
        campaign_id,
        name: name.trim(),
        type,
        ...(isSent(type) || host.trim() === '' ? {} : { website: { hosts: [host] } }),
      });
      notify(t('created'));
      await navigate({
        to: '/o/$orgId/touchpoints/$touchpointId',
        params: { orgId, touchpointId: created.id },
      });
    },
  });
  return (
    <FormDrawer opened onClose={onClose} title={t('new')} form={form} submitLabel={t('create')}>
      <Radio.Group label={t('type')} {...form.fields.getInputProps('type')}>
        <Group gap="xs" grow>
          {touchpointTypes.map((type) => (
            <Radio.Card key={type} value={type} p="sm" aria-label={t(`common:type.${type}`)}>
              <Group gap="xs" wrap="nowrap">
                <Radio.Indicator />
                <ChannelIcon type={type} />
                {t(`common:type.${type}`)}
              </Group>
            </Radio.Card>
          ))}
        </Group>
      </Radio.Group>
      <TextInput
        data-autofocus
        label={t('name')}
        description={t('nameHint')}
        {...form.fields.getInputProps('name')}
      />
      {!isSent(form.fields.getValues().type) && (
        <TextInput
          label={t('websiteHost')}
          description={t('websiteHostHint')}
          autoComplete="off"
          inputMode="url"
          spellCheck={false}
          {...form.fields.getInputProps('host')}
        />
      )}
      {campaignId === undefined && campaigns.isSuccess && options.length === 0 && (
        <Alert color="yellow" variant="light" title={t('noCampaignYet')}>
          <LinkButton size="xs" variant="default" to="/o/$orgId/campaigns" params={{ orgId }}>
            {t('toCampaigns')}
          </LinkButton>
        </Alert>
      )}
      {campaignId === undefined && (
        <Select
          searchable
          label={t('campaign')}
          data={options}
          {...form.fields.getInputProps('campaign_id')}
        />
      )}
    </FormDrawer>
  );
}
