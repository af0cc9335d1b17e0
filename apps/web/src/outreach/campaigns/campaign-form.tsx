import { TextInput } from '@mantine/core';
import { BrandSelect } from '#web/clients/brands/brand-select.tsx';
import { keepPreviousData, useQuery, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isComplete, useNewBrand } from '#web/clients/brands/create-brand.ts';
import { NewBrandFields } from '#web/clients/brands/new-brand-fields.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { notify } from '#web/ui/notify.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';

/**
 * Creates a campaign and opens its page. With `brandId` the brand is fixed and not asked for. By hand: a first brand is made
 * along with it, from fields of another operation.
 */
export function CampaignForm({ brandId, onClose }: { brandId?: string; onClose: () => void }) {
  const { t } = useTranslation('campaigns');
  const { api, orgId, clientId } = useOrganization();
  const navigate = useNavigate();
  const checkName = useNameCheck();
  const groups = useQuery(
    api.clientsBrands.list.queryOptions({
      input: compact({ organization_id: orgId, client_id: clientId, page: 0, page_size: 500 }),
      placeholderData: keepPreviousData,
    }),
  );
  const clients = groups.data?.items ?? [];
  const { can } = useOrganization();
  const newBrand = useNewBrand();
  const isMakingBrand =
    brandId === undefined &&
    groups.isSuccess &&
    clients.every(({ brands }) => brands.length === 0) &&
    can('create', 'Brand');
  const create = useMutation(api.campaigns.create.mutationOptions());
  const form = useServerForm({
    initial: { name: '', brand_id: brandId ?? '' },
    checks: {
      name: checkName,
      brand_id: (value) =>
        value === '' && !(isMakingBrand && isComplete(newBrand.draft)) ? t('brandMissing') : null,
    },
    submit: async ({ name, brand_id: chosen }) => {
      const brand_id = chosen || (await newBrand.create.mutateAsync(newBrand.draft));
      const created = await create.mutateAsync({ organization_id: orgId, brand_id, name: name.trim() });
      notify(t('created'));
      await navigate({ to: '/o/$orgId/campaigns/$campaignId', params: { orgId, campaignId: created.id } });
    },
  });
  return (
    <FormDrawer isSmall onClose={onClose} title={t('new')} form={form} submitLabel={t('new')}>
      <TextInput data-autofocus label={t('name')} {...form.fields.getInputProps('name')} />
      {isMakingBrand && (
        <NewBrandFields
          value={newBrand.draft}
          onChange={newBrand.setDraft}
          error={form.fields.errors['brand_id'] === undefined ? undefined : t('brandMissing')}
        />
      )}
      {brandId === undefined && !isMakingBrand && (
        <BrandSelect
          label={t('words.brand')}
          description={t('brandHint')}
          clients={clients}
          {...form.fields.getInputProps('brand_id')}
        />
      )}
    </FormDrawer>
  );
}
