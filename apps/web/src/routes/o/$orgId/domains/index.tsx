import type { Domain } from '@reachout/contract/domains.ts';
import { IconWorldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OwnerChip } from '#web/content/owners/owner-chip.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { loadDomainTexts } from '#web/i18n/i18n.ts';
import { CheckMarks } from '#web/outreach/domains/check-marks.tsx';
import { DomainStatusBadge } from '#web/outreach/domains/domain-status.tsx';
import { domainsQuery, readAsking } from '#web/outreach/domains/domains-query.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { RowName } from '#web/ui/row-name.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/domains/')({
  validateSearch: readAsking,
  beforeLoad: loadDomainTexts,
  loader: ({ context }) => context.preload((scope) => [domainsQuery(scope)]),
  component: Domains,
});

function Domains() {
  const { t } = useTranslation('domains');
  const scope = useOrganization();
  const { orgId } = scope;
  const navigate = useNavigate();
  const search = Route.useSearch();
  const columns = useColumns();
  const query = useQuery({ ...domainsQuery(scope), select: failingFirst });
  const create = (
    <CreateButton
      permission={['create', 'Domain']}
      onClick={() => void navigate({ to: '/o/$orgId/domains/new', params: { orgId }, search })}
    >
      {t('add')}
    </CreateButton>
  );
  return (
    <ListPage
      query={query}
      what={t('what')}
      header={(action) => <PageHeader title={t('title')} primary={action} />}
      create={create}
      empty={(action) => (
        <EmptyState icon={IconWorldCheck} title={t('empty.title')} actions={action} text={t('empty.body')} />
      )}
    >
      {({ rows, busy }) => <DataTable isDense label={t('title')} columns={columns} rows={rows} busy={busy} />}
    </ListPage>
  );
}

/** Then verified ones that lost a record. */
const failingFirst = ({ items, count }: { items: Domain[]; count: number }) => ({
  items: items.toSorted((one, other) => rank(one) - rank(other)),
  count,
});

function rank({ status, states }: Domain): number {
  if (status === 'failing') return 0;
  return status === 'verified' && Object.values(states).includes('fail') ? 1 : 2;
}

function useColumns(): Column<Domain>[] {
  const { t } = useTranslation(['domains', 'common']);
  const { orgId } = useOrganization();
  return [
    {
      header: t('name'),
      cell: ({ id, domain }) => (
        <RowName>
          <LinkAnchor to="/o/$orgId/domains/$domainId" params={{ orgId, domainId: id }} title={domain}>
            {domain}
          </LinkAnchor>
        </RowName>
      ),
    },
    { header: t('common:filter.status'), cell: ({ status }) => <DomainStatusBadge status={status} /> },
    { header: t('records'), cell: ({ states }) => <CheckMarks states={states} /> },
    { header: t('common:owner.label'), hide: 1, cell: (domain) => <OwnerChip owner={domain} /> },
  ];
}
