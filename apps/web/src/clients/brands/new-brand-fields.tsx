import { Select, Stack, TextInput } from '@mantine/core';
import { maxNameLength } from '@reachout/contract/rules/lengths.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import type { BrandDraft } from './create-brand.ts';
import { TrackingPolicyField } from './tracking-policy-field.tsx';

interface Props {
  value: BrandDraft;
  onChange: (value: BrandDraft) => void;
  /** Why a missing name is required; undefined before somebody tried to save. */
  error?: string | undefined;
}

const newClient = '';

/** Fields for a new brand and, if necessary, its new client, without leaving the page that needs them. */
export function NewBrandFields({ value, onChange, error }: Props) {
  const { t } = useTranslation(['clients', 'common']);
  const { api, orgId } = useOrganization();
  const clients = useQuery(
    api.clients.list.queryOptions({
      input: { organization_id: orgId, order: 'name.asc', page: 0, page_size: 500 },
    }),
  );
  const known = clients.data?.items ?? [];
  const isNewClient = value.client_id === newClient;
  const tooLong = (name: string) =>
    name.trim().length > maxNameLength ? t('common:form.tooLong', { max: maxNameLength }) : undefined;
  return (
    <Stack gap="sm">
      {known.length > 0 && (
        <Select
          searchable
          label={t('words.client')}
          value={value.client_id}
          onChange={(client_id) => onChange({ ...value, client_id: client_id ?? newClient })}
          data={[
            { value: newClient, label: t('inline.newClient') },
            ...known.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {isNewClient && (
        <TextInput
          label={t('nameClient')}
          value={value.client_name}
          error={value.client_name.trim() === '' ? error : tooLong(value.client_name)}
          onChange={(event) => onChange({ ...value, client_name: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={isNewClient ? `${t('nameBrand')} ${t('common:optional')}` : t('nameBrand')}
        description={isNewClient ? t('inline.brandHint') : undefined}
        value={value.brand_name}
        error={!isNewClient && value.brand_name.trim() === '' ? error : tooLong(value.brand_name)}
        onChange={(event) => onChange({ ...value, brand_name: event.currentTarget.value })}
      />
      <TrackingPolicyField
        value={value.tracking_policy}
        onChange={(tracking_policy) => onChange({ ...value, tracking_policy })}
        error={value.tracking_policy === '' && error !== undefined ? t('tracking.missing') : undefined}
      />
    </Stack>
  );
}
