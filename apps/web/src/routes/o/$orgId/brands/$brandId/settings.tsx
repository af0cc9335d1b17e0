import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useBrand } from '#web/clients/clients/client-context.ts';
import { RecordSettings } from '#web/clients/clients/record-settings.tsx';
import { useDenialReason } from '#web/identity/organizations/use-denial-reason.ts';

export const Route = createFileRoute('/o/$orgId/brands/$brandId/settings')({ component: Settings });

function Settings() {
  const { t } = useTranslation('clients');
  const brand = useBrand();
  const { brands } = useOrganization().api;
  const denialReason = useDenialReason();
  const update = useMutation(brands.update.mutationOptions());
  return (
    <RecordSettings
      record={brand}
      folder="brands"
      nameLabel={t('nameBrand')}
      denialReason={denialReason('update', 'Brand', { client_id: brand.client_id, brand_id: brand.id })}
      rename={(name) => update.mutateAsync({ id: brand.id, name })}
    />
  );
}
