import { createFileRoute, linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { loadDomainTexts } from '#web/i18n/i18n.ts';
import { readAsking } from '#web/outreach/domains/domains-query.ts';
import { NewDomain } from '#web/outreach/domains/new-domain.tsx';
import { ForbiddenState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/domains/new')({
  validateSearch: readAsking,
  beforeLoad: loadDomainTexts,
  component: NewDomainPage,
});

function NewDomainPage() {
  const { t } = useTranslation('domains');
  const { orgId, can } = useOrganization();
  const { for: asking } = Route.useSearch();
  if (!can('create', 'Domain')) return <ForbiddenState />;
  return (
    <>
      <PageHeader
        title={t('add')}
        section={t('words.domains')}
        crumbs={linkOptions([{ to: '/o/$orgId/domains', params: { orgId }, label: t('words.domains') }])}
      />
      <NewDomain client={asking} />
    </>
  );
}
