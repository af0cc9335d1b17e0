import { Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { StartChoice, type Start } from '#web/outreach/channels/email/start-choice.tsx';
import { compact } from '#web/platform/list-search.ts';
import { changes } from '#web/platform/query-client.ts';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ActionError, ForbiddenState } from '#web/ui/states.tsx';
import { BrandChoice } from './brand-choice.tsx';
import { createDraft } from './create-draft.ts';
import { defaultNames } from './draft-names.ts';

interface Props {
  brandId: string | undefined;
  campaignId: string | undefined;
  onBrand: (id: string) => void;
  /** Called once the draft exists on the server. */
  onDraft: (id: string) => void;
}

/** What a new email begins with: its brand, and a starting point. */
export function NewEmail({ brandId, campaignId, onBrand, onDraft }: Props) {
  const { t, i18n } = useTranslation(['touchpoints', 'common']);
  const scope = useOrganization();
  const { orgId, can } = scope;
  const brand = useBrand(brandId);
  const create = useMutation({
    ...changes(orgId),
    mutationFn: (start: Start) =>
      createDraft({
        organization_id: orgId,
        brand_id: brand ?? '',
        campaign_id: campaignId,
        language: i18n.language === 'de' ? 'de' : 'en',
        start,
        audienceNameOf:
          can('create', 'Filter') && can('read', 'Content')
            ? (owner) => t('audience.allOf', { owner })
            : undefined,
        ...defaultNames(t, start, i18n.language),
      }),
  });
  if (!can('create', 'Touchpoint')) return <ForbiddenState />;
  return (
    <>
      <PageHeader title={t('words.newEmail')} section={t('words.touchpoints')} />
      <Stack gap="lg">
        <SectionCard title={t('words.brand')} hint={t('newEmail.brandHint')}>
          <BrandChoice brandId={brand} onBrand={onBrand} />
        </SectionCard>
        {brand !== undefined && (
          <SectionCard title={t('newEmail.startTitle')} hint={t('newEmail.startHint')}>
            <StartChoice
              brandId={brand}
              disabled={create.isPending}
              // Per-call callbacks do not run after unmounting, so a user who has left the page is not navigated back.
              onStart={(start) => create.mutate(start, { onSuccess: onDraft })}
            />
            <ActionError error={create.error} title={t('common:error.saveFailed')} />
          </SectionCard>
        )}
      </Stack>
    </>
  );
}

/** The selected brand, or the only one; there is no default if there are several. */
function useBrand(chosen: string | undefined): string | undefined {
  const { api, orgId, clientId } = useOrganization();
  const brands = useQuery(
    api.brands.list.queryOptions({
      input: compact({ organization_id: orgId, client_id: clientId, page: 0, page_size: 2 }),
      enabled: chosen === undefined,
    }),
  );
  const [only, ...others] = brands.data?.items ?? [];
  return chosen ?? (others.length === 0 ? only?.id : undefined);
}
