import { createFileRoute } from '@tanstack/react-router';
import { BrandKitForm } from '#web/clients/brands/brand-kit-form.tsx';
import { useBrand } from '#web/clients/clients/client-context.ts';
import { loadBrandTexts, loadTransportTexts } from '#web/i18n/i18n.ts';
import { useDenialReason } from '#web/identity/organizations/use-denial-reason.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';

const BrandTransport = lazyPart(() => import('#web/outreach/transports/brand-transport.tsx'), {
  texts: loadTransportTexts,
});

export const Route = createFileRoute('/o/$orgId/brands/$brandId/kit')({
  beforeLoad: loadBrandTexts,
  component: Kit,
});

function Kit() {
  const brand = useBrand();
  const { can } = useOrganization();
  const denialReason = useDenialReason()('update', 'Brand', {
    client_id: brand.client_id,
    brand_id: brand.id,
  });
  return (
    <BrandKitForm brand={brand} denialReason={denialReason}>
      {can('update', 'Organization') && <BrandTransport brand={brand} />}
    </BrandKitForm>
  );
}
