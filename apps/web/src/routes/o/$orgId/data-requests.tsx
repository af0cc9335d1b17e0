import { Alert } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { PermittedPage } from '#web/identity/organizations/permitted-page.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { dataRequestList, dataRequestsQuery } from '#web/operations/data-requests/data-request-list.ts';
import { DataRequestTable } from '#web/operations/data-requests/data-request-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const permissions = [['read', 'Consent']] as const;

export const Route = createFileRoute('/o/$orgId/data-requests')({
  beforeLoad: loadContactTexts,
  ...dataRequestList.route,
  loader: ({ context, deps }) =>
    context.preload((scope) => (scope.can('read', 'Consent') ? [dataRequestsQuery(scope, deps)] : [])),
  component: () => (
    <PermittedPage permission={permissions}>
      <DataRequests />
    </PermittedPage>
  ),
});

/** What recipients have asked for about their own data. */
function DataRequests() {
  const { t } = useTranslation('consent');
  const scope = useOrganization();
  const { orgId } = scope;
  const query = useQuery(dataRequestsQuery(scope, Route.useSearch()));
  const waiting = query.data?.waiting_count ?? 0;
  return (
    <ListPage
      query={query}
      what={t('requests.what')}
      header={() => (
        <>
          <PageHeader
            title={t('requests.title')}
            section={t('list.contacts')}
            note={t('requests.note')}
            crumbs={linkOptions([{ to: '/o/$orgId/contacts', params: { orgId }, label: t('list.contacts') }])}
          />
          {waiting > 0 && (
            <Alert color="yellow" mb="md" role="status">
              {t('requests.waiting', { count: waiting })}
            </Alert>
          )}
        </>
      )}
      empty={
        <EmptyState icon={IconShieldLock} title={t('requests.empty.title')} text={t('requests.empty.body')} />
      }
      list={dataRequestList}
    >
      {(table) => <DataRequestTable {...table} />}
    </ListPage>
  );
}
