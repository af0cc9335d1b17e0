import { Button, Menu } from '@mantine/core';
import { IconDownload, IconMailOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ImportSuppressions } from '#web/contacts/consent/import-suppressions.tsx';
import { LatestLift, LiftSuppressions } from '#web/contacts/consent/lift-suppressions.tsx';
import { useSuppressionColumns } from '#web/contacts/consent/suppression-columns.tsx';
import { SuppressionFilters } from '#web/contacts/consent/suppression-filters.tsx';
import {
  liftsQuery,
  suppressionCriteria,
  suppressionList,
  suppressionsQuery,
} from '#web/contacts/consent/suppression-search.ts';
import { currentTimeZone, useTimeZone } from '#web/i18n/format.ts';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { PermittedPage } from '#web/identity/organizations/permitted-page.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

const permissions = [
  ['read', 'Consent'],
  ['read', 'Content'],
] as const;

export const Route = createFileRoute('/o/$orgId/suppressions')({
  beforeLoad: loadContactTexts,
  ...suppressionList.route,
  loader: ({ context, deps }) =>
    context.preload((scope) =>
      permissions.every(([action, subject]) => scope.can(action, subject))
        ? [suppressionsQuery(scope, deps, currentTimeZone()), liftsQuery(scope)]
        : [],
    ),
  component: () => (
    <PermittedPage permission={permissions}>
      <Suppressions />
    </PermittedPage>
  ),
});

/** The addresses that get no email. */
function Suppressions() {
  const { t } = useTranslation('consent');
  const scope = useOrganization();
  const { orgId, can } = scope;
  const timeZone = useTimeZone();
  const search = Route.useSearch();
  const columns = useSuppressionColumns();
  const [isImporting, setImporting] = useState(false);
  const query = useQuery(suppressionsQuery(scope, search, timeZone));
  const filters = new URLSearchParams(
    compact({ organization_id: orgId, ...suppressionCriteria(search, timeZone), search: search.search }),
  );
  const count = query.data?.count ?? 0;
  return (
    <>
      <ListPage
        query={query}
        what={t('list.what')}
        header={() => (
          <>
            <PageHeader
              title={t('list.title')}
              section={t('list.contacts')}
              note={t('list.note')}
              crumbs={linkOptions([
                { to: '/o/$orgId/contacts', params: { orgId }, label: t('list.contacts') },
              ])}
              more={
                can('create', 'Consent') && (
                  <Menu.Item onClick={() => setImporting(true)}>{t('import.action')}</Menu.Item>
                )
              }
            />
            <LatestLift />
          </>
        )}
        searchLabel={t('list.search')}
        filters={<SuppressionFilters search={search} />}
        filtered={[search.reason, search.send, search.from, search.to].some((filter) => filter !== undefined)}
        noResults={t('list.noMatch')}
        empty={<EmptyState icon={IconMailOff} title={t('list.empty.title')} text={t('list.empty.body')} />}
        actions={
          count > 0 && (
            <Button
              component="a"
              variant="default"
              href={`/api/suppressions/export?${filters.toString()}`}
              download
              leftSection={<IconDownload size={16} stroke={1.75} />}
            >
              {t('list.export')}
            </Button>
          )
        }
        list={suppressionList}
      >
        {(table) => (
          <>
            <LiftSuppressions
              search={search}
              liftable={query.data?.liftable_count ?? 0}
              count={count}
              onChanged={() => void query.refetch()}
            />
            <DataTable {...table} label={t('list.title')} columns={columns} />
          </>
        )}
      </ListPage>
      {isImporting && <ImportSuppressions onClose={() => setImporting(false)} />}
    </>
  );
}
