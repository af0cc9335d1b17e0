import { Group, Stack, Text } from '@mantine/core';
import type { Campaign } from '@reachout/contract/campaigns.ts';
import type { CampaignDomain, LinkedDomain } from '@reachout/contract/domains.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useFormat } from '#web/i18n/format.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { DomainStatusBadge } from './domain-status.tsx';

/** Which verified domains a campaign uses. */
export default function CampaignDomains({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('domains');
  const { api } = useOrganization();
  const linked = useQuery(api.campaigns.listDomains.queryOptions({ input: { id: campaign.id } }));
  const available = useQuery(
    api.rpc.getAvailableDomains.queryOptions({ input: { campaign_id: campaign.id } }),
  );
  return (
    <SectionCard title={t('words.domains')}>
      <AsyncRegion query={linked} what={t('campaign.what')}>
        {(links) => (
          <AsyncRegion query={available} what={t('records.what', { records: t('words.domains') })}>
            {(domains) => <Choice campaign={campaign} links={links} available={domains} />}
          </AsyncRegion>
        )}
      </AsyncRegion>
    </SectionCard>
  );
}

interface ChoiceProps {
  campaign: Campaign;
  links: readonly CampaignDomain[];
  available: readonly LinkedDomain[];
}

function Choice({ campaign, links, available }: ChoiceProps) {
  const { t } = useTranslation('domains');
  const { orgId, canEver } = useOrganization();
  const format = useFormat();
  const [choosing, setChoosing] = useState(false);
  if (links.length === 0 && available.length === 0)
    return (
      <Stack gap="sm" align="flex-start">
        <Text>{t('campaign.none')}</Text>
        {canEver('create', 'Domain') && (
          <LinkButton
            size="sm"
            to="/o/$orgId/domains"
            params={{ orgId }}
            search={{ for: campaign.brand.client.id }}
          >
            {t('campaign.toDomains')}
          </LinkButton>
        )}
      </Stack>
    );
  return (
    <Stack gap="sm" align="flex-start">
      {links.length === 0 ? (
        <Text>{t('campaign.all', { names: format.list(available.map(({ domain }) => domain)) })}</Text>
      ) : (
        links.map(({ id, domain }) => (
          <Group key={id} gap="sm">
            <LinkAnchor to="/o/$orgId/domains/$domainId" params={{ orgId, domainId: domain.id }}>
              {domain.domain}
            </LinkAnchor>
            <DomainStatusBadge status={domain.status} />
          </Group>
        ))
      )}
      <PermittedButton permission={['update', 'Campaign']} size="sm" onClick={() => setChoosing(true)}>
        {t('campaign.choose')}
      </PermittedButton>
      {choosing && (
        <ChooseDomains
          campaign={campaign}
          links={links}
          available={available}
          onClose={() => setChoosing(false)}
        />
      )}
    </Stack>
  );
}

function ChooseDomains({ campaign, links, available, onClose }: ChoiceProps & { onClose: () => void }) {
  const { t } = useTranslation(['domains', 'common']);
  const { api } = useOrganization();
  const save = useMutation(api.campaigns.setDomains.mutationOptions());
  // One that began to fail can stay.
  const isOffered = new Set(available.map(({ id }) => id));
  const choices = [...available, ...links.map(({ domain }) => domain).filter(({ id }) => !isOffered.has(id))];
  const form = useRecordForm(boundsOf('campaigns.setDomains'), {
    record: { domain_ids: links.map(({ domain }) => domain.id) },
    fields: {
      domain_ids: {
        label: t('campaign.chosen'),
        hint: t('campaign.chosenHint'),
        options: choices.map(({ id, domain, status }) => ({
          value: id,
          label: status === 'verified' ? domain : `${domain} (${t(`status.${status}`)})`,
        })),
      },
    },
    save: (values) => save.mutateAsync({ id: campaign.id, ...values }),
    notice: t('campaign.saved'),
    onClose,
  });
  return (
    <RecordDrawer
      isSmall
      form={form}
      title={t('campaign.choose')}
      submitLabel={t('common:actions.save')}
      onClose={onClose}
    />
  );
}
