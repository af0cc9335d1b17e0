import { Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { ClientContext } from '#web/clients/clients/client-context.ts';
import { Mark } from '#web/identity/organizations/organization-logo.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DeletedState } from '#web/ui/deleted-state.tsx';
import { NameDrawer } from '#web/ui/name-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { TabStrip } from '#web/ui/tab-strip.tsx';
import { useAction } from '#web/ui/use-action.ts';

export const Route = createFileRoute('/o/$orgId/clients/$clientId')({ component: ClientLayout });

const tabs = ['overview', 'contacts', 'addresses', 'socials', 'settings'] as const;

function ClientLayout() {
  const { t } = useTranslation(['clients', 'common']);
  const { clientId } = Route.useParams();
  const { pathname } = useLocation();
  const { api, orgId, can } = useOrganization();
  const query = useQuery(api.clients.get.queryOptions({ input: { id: clientId } }));
  const [adding, setAdding] = useState(false);
  const [deleted, setDeleted] = useState<string>();
  const action = useAction();

  if (deleted !== undefined) {
    return (
      <DeletedState
        text={t('deletedHere.client', { name: deleted })}
        back={
          <LinkButton size="xs" variant="subtle" to="/o/$orgId/clients" params={{ orgId }}>
            {t('title')}
          </LinkButton>
        }
        onUndo={async () => {
          await client.clients.restore({ id: clientId });
          await refreshOrganization(orgId);
          setDeleted(undefined);
        }}
      />
    );
  }
  const attributes = { client_id: clientId };
  return (
    <AsyncRegion page query={query} what={t('whatOne')}>
      {(record) => (
        <ClientContext value={record}>
          <PageHeader
            title={record.name}
            section={t('title')}
            crumbs={[
              <LinkAnchor key="clients" to="/o/$orgId/clients" params={{ orgId }}>
                {t('title')}
              </LinkAnchor>,
            ]}
            mark={<Mark name={record.name} logo={record.logo_url} size={28} />}
            primary={
              // The other tabs add something of their own.
              pathname.endsWith('/overview') && (
                <PermittedButton
                  permission={['create', 'Brand']}
                  record={attributes}
                  leftSection={<IconPlus size={16} stroke={1.75} />}
                  onClick={() => setAdding(true)}
                >
                  {t('newBrand')}
                </PermittedButton>
              )
            }
            more={
              can('delete', 'Client', attributes) && (
                <Menu.Item
                  c="var(--app-danger)"
                  onClick={() =>
                    void action.run(async () => {
                      await client.clients.delete({ id: clientId });
                      setDeleted(record.name);
                    })
                  }
                >
                  {t('common:actions.delete')}
                </Menu.Item>
              )
            }
          />
          <ActionError error={action.error} />
          <TabStrip
            label={t('tabs.label')}
            tabs={tabs.map((tab) => ({
              href: `/o/${orgId}/clients/${clientId}/${tab}`,
              name: t(`tabs.${tab}`),
            }))}
          />
          <Outlet />
          {adding && (
            <NameDrawer
              title={t('newBrand')}
              label={t('nameBrand')}
              description={t('nameBrandHint')}
              submitLabel={t('newBrand')}
              onClose={() => setAdding(false)}
              submit={async (name) => {
                await client.brands.create({ organization_id: orgId, client_id: clientId, name });
                await refreshOrganization(orgId);
                setAdding(false);
                notify(t('brandCreated'));
              }}
            />
          )}
        </ClientContext>
      )}
    </AsyncRegion>
  );
}
