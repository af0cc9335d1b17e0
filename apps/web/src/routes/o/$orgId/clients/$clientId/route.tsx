import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet, useLocation, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ClientContext } from '#web/clients/clients/client-context.ts';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { RecordSkeleton } from '#web/ui/skeletons.tsx';
import { DeleteItem } from '#web/ui/row-menu.tsx';
import { DeletedState } from '#web/ui/deleted-state.tsx';
import { CalendarItem } from '#web/clients/clients/calendar-item.tsx';
import { BrandDrawer } from '#web/clients/brands/brand-drawer.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useRecordDeletion } from '#web/ui/deletion.ts';
import { TabStrip } from '#web/ui/tab-strip.tsx';

const clientQuery = ({ api }: OrganizationContext, id: string) =>
  api.clients.get.queryOptions({ input: { id } });

export const Route = createFileRoute('/o/$orgId/clients/$clientId')({
  loader: ({ context, params }) => context.preload((scope) => [clientQuery(scope, params.clientId)]),
  component: ClientLayout,
});

const tabs = ['overview', 'contacts', 'addresses', 'socials', 'settings'] as const;

function ClientLayout() {
  const { t } = useTranslation(['clients', 'common']);
  const { clientId } = Route.useParams();
  const { pathname } = useLocation();
  const scope = useOrganization();
  const { orgId, can } = scope;
  const query = useQuery(clientQuery(scope, clientId));
  const [adding, setAdding] = useState(false);
  const deletion = useRecordDeletion(clientId, scope.api.clients);

  if (deletion.deletedName !== undefined) {
    return (
      <DeletedState
        text={t('deletedHere.client', { name: deletion.deletedName })}
        back={linkOptions({ to: '/o/$orgId/clients', params: { orgId }, label: t('words.clients') })}
        onUndo={deletion.restore}
      />
    );
  }
  const attributes = { client_id: clientId };
  return (
    <AsyncRegion
      page
      query={query}
      what={t('records.what', { records: t('words.client') })}
      skeleton={<RecordSkeleton tabs={tabs.length} />}
    >
      {(record) => (
        <ClientContext value={record}>
          <PageHeader
            title={record.name}
            section={t('words.clients')}
            crumbs={linkOptions([{ to: '/o/$orgId/clients', params: { orgId }, label: t('words.clients') }])}
            mark={<Logo name={record.name} logo={record.logo_url} size={28} />}
            primary={
              // The other tabs have their own action.
              pathname.endsWith('/overview') && (
                <CreateButton
                  permission={['create', 'Brand']}
                  record={attributes}
                  onClick={() => setAdding(true)}
                >
                  {t('newBrand')}
                </CreateButton>
              )
            }
            more={
              (can('read', 'Touchpoint', attributes) || can('delete', 'Client', attributes)) && (
                <>
                  {can('read', 'Touchpoint', attributes) && <CalendarItem search={{ client: clientId }} />}
                  {can('delete', 'Client', attributes) && (
                    <DeleteItem onClick={() => deletion.remove(record.name)} />
                  )}
                </>
              )
            }
          />
          <ActionError error={deletion.error} />
          <TabStrip
            label={t('tabs.label')}
            tabs={tabs.map((tab) => ({
              href: `/o/${orgId}/clients/${clientId}/${tab}`,
              name: t(`tabs.${tab}`),
            }))}
          />
          <Outlet />
          {adding && <BrandDrawer clientId={clientId} onClose={() => setAdding(false)} />}
        </ClientContext>
      )}
    </AsyncRegion>
  );
}
