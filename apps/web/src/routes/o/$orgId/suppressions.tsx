import { Menu } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ImportSuppressions } from '#web/contacts/consent/import-suppressions.tsx';
import { LatestLift, LiftSuppressions } from '#web/contacts/consent/lift-suppressions.tsx';
import { useSuppressionColumns } from '#web/contacts/consent/suppression-columns.tsx';
import { useSuppressionFilters } from '#web/contacts/consent/suppression-filters.tsx';
import {
  liftsQuery,
  suppressionCriteria,
  suppressionList,
  suppressionsQuery,
} from '#web/contacts/consent/suppression-search.ts';
import { currentTimeZone, useTimeZone } from '#web/i18n/format.ts';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { ExportLink } from '#web/identity/lists/export-link.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { PermittedPage } from '#web/identity/organizations/permitted-page.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';

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
  const [isImporting, setImporting] = useState(false);
  const query = useQuery(suppressionsQuery(scope, search, timeZone));
  const count = query.data?.count ?? 0;
  return (
    <>
      <RecordList
        query={query}
        list={suppressionList}
        header={() => (
          <>
            <PageHeader
              title={t('words.suppressedAddresses')}
              section={t('words.contacts')}
              note={t('list.note')}
              crumbs={linkOptions([
                { to: '/o/$orgId/contacts', params: { orgId }, label: t('words.contacts') },
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
        texts="consent:list"
        label={t('words.suppressedAddresses')}
        icon={IconMailOff}
        columns={useSuppressionColumns()}
        filters={useSuppressionFilters(search)}
        actions={
          count > 0 && (
            <ExportLink
              path="suppressions/export"
              filters={compact({
                organization_id: orgId,
                ...suppressionCriteria(search, timeZone),
                search: search.search,
              })}
            />
          )
        }
        above={
          <LiftSuppressions
            search={search}
            liftable={query.data?.liftable_count ?? 0}
            count={count}
            onChanged={() => void query.refetch()}
          />
        }
      />
      {isImporting && <ImportSuppressions onClose={() => setImporting(false)} />}
    </>
  );
}
