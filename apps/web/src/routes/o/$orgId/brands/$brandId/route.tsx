import type { Brand } from '@reachout/contract/clients.ts';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { brandDomainsQuery } from '#web/outreach/domains/brand-domains-query.ts';
import { BrandDomains } from '#web/outreach/domains/brand-domains.tsx';
import { CampaignForm } from '#web/outreach/campaigns/campaign-form.tsx';
import { CopyError } from '#web/content/backend/copy-error.tsx';
import { CalendarItem } from '#web/clients/clients/calendar-item.tsx';
import { BrandContext } from '#web/clients/clients/client-context.ts';
import { BrandEdge } from '#web/clients/brands/brand-edge.tsx';
import { BrandMark } from '#web/clients/brands/brand-mark.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { loadDomainTexts } from '#web/i18n/i18n.ts';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { RecordSkeleton } from '#web/ui/skeletons.tsx';
import { DeleteItem } from '#web/ui/row-menu.tsx';
import { DeletedState } from '#web/ui/deleted-state.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useRecordDeletion } from '#web/ui/deletion.ts';
import { TabStrip } from '#web/ui/tab-strip.tsx';

const brandQuery = ({ api }: OrganizationContext, id: string) =>
  api.brands.get.queryOptions({ input: { id } });

export const Route = createFileRoute('/o/$orgId/brands/$brandId')({
  beforeLoad: loadDomainTexts,
  loader: ({ context, params }) =>
    context.preload((scope) => [
      brandQuery(scope, params.brandId),
      ...(scope.canEver('read', 'Domain') ? [brandDomainsQuery(scope, params.brandId)] : []),
    ]),
  component: BrandLayout,
});

const tabs = ['campaigns', 'touchpoints', 'topics', 'sign-up-forms', 'kit'] as const;

function BrandLayout() {
  const { t } = useTranslation(['clients', 'campaigns', 'common']);
  const { brandId } = Route.useParams();
  const scope = useOrganization();
  const { orgId, can } = scope;
  const query = useQuery(brandQuery(scope, brandId));
  const [adding, setAdding] = useState(false);
  const deletion = useRecordDeletion(brandId, scope.api.brands);

  if (deletion.deletedName !== undefined) {
    return (
      <DeletedState
        text={t('deletedHere.brand', { name: deletion.deletedName })}
        back={linkOptions({ to: '/o/$orgId/clients', params: { orgId }, label: t('words.clients') })}
        onUndo={deletion.restore}
      />
    );
  }
  return (
    <AsyncRegion
      page
      query={query}
      what={t('records.what', { records: t('words.brand') })}
      skeleton={<RecordSkeleton tabs={tabs.length} />}
    >
      {(brand) => (
        <BrandContext value={brand}>
          <BrandEdge color={brand.color} />
          <PageHeader
            title={brand.name}
            section={brand.client.name}
            crumbs={linkOptions([
              { to: '/o/$orgId/clients', params: { orgId }, label: t('words.clients') },
              { ...recordPages.client(orgId, brand.client.id), label: brand.client.name },
            ])}
            mark={<BrandMark brand={brand} size={28} />}
            note={brand.client.name}
            primary={
              <CreateButton
                permission={['create', 'Campaign']}
                record={attributesOf(brand)}
                onClick={() => setAdding(true)}
              >
                {t('campaigns:new')}
              </CreateButton>
            }
            more={
              (can('read', 'Touchpoint', attributesOf(brand)) ||
                can('delete', 'Brand', attributesOf(brand))) && (
                <>
                  {can('read', 'Touchpoint', attributesOf(brand)) && (
                    <CalendarItem search={{ brand: brand.id }} />
                  )}
                  {can('delete', 'Brand', attributesOf(brand)) && (
                    <DeleteItem onClick={() => deletion.remove(brand.name)} />
                  )}
                </>
              )
            }
          />
          <ActionError error={deletion.error} />
          <CopyError record={brand} />
          {scope.canEver('read', 'Domain') && <BrandDomains brandId={brandId} />}
          <TabStrip
            label={t('tabs.label')}
            tabs={tabs
              .filter((tab) => tab !== 'sign-up-forms' || scope.canEver('read', 'Consent'))
              .map((tab) => ({
                href: `/o/${orgId}/brands/${brandId}/${tab}`,
                name: t(`tabs.${tab}`),
              }))}
          />
          <Outlet />
          {adding && <CampaignForm brandId={brandId} onClose={() => setAdding(false)} />}
        </BrandContext>
      )}
    </AsyncRegion>
  );
}

const attributesOf = (brand: Brand) => ({ client_id: brand.client_id, brand_id: brand.id });
