import type { Domain } from '@reachout/contract/domains.ts';
import { IconWorldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOwnerColumn } from '#web/content/owners/owner-chip.tsx';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import { nameColumn } from '#web/identity/lists/columns.tsx';
import { RecordLink } from '#web/identity/lists/record-link.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { loadDomainTexts } from '#web/i18n/i18n.ts';
import { CheckMarks } from '#web/outreach/domains/check-marks.tsx';
import { DomainStatusBadge } from '#web/outreach/domains/domain-status.tsx';
import { domainsQuery, readAsking } from '#web/outreach/domains/domains-query.ts';
import { recordPages } from '#web/identity/lists/record-pages.ts';

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
  return (
    <RecordList
      query={useQuery({ ...domainsQuery(scope), select: failingFirst })}
      texts="domains"
      icon={IconWorldCheck}
      columns={useColumns()}
      isDense
      create={{
        permission: ['create', 'Domain'],
        label: t('add'),
        onClick: () => void navigate({ to: '/o/$orgId/domains/new', params: { orgId }, search }),
      }}
    />
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

function useColumns(): ListColumn<Domain>[] {
  const { t } = useTranslation('domains');
  return [
    nameColumn({
      header: t('words.domain'),
      cell: ({ id, domain }) => <RecordLink page={recordPages.domain} id={id} name={domain} />,
    }),
    {
      name: 'status',
      header: t('words.status'),
      cell: ({ status }) => <DomainStatusBadge status={status} />,
    },
    { name: 'records', header: t('steps.records'), cell: ({ states }) => <CheckMarks states={states} /> },
    { ...useOwnerColumn<Domain>(), hide: 1 },
  ];
}
