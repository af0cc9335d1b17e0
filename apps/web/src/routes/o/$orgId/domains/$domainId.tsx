import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { loadDomainTexts } from '#web/i18n/i18n.ts';
import { DomainPage } from '#web/outreach/domains/domain-page.tsx';
import { domainQuery } from '#web/outreach/domains/domains-query.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';

export const Route = createFileRoute('/o/$orgId/domains/$domainId')({
  beforeLoad: loadDomainTexts,
  loader: ({ context, params }) => context.preload((scope) => [domainQuery(scope, params.domainId)]),
  component: OneDomain,
});

function OneDomain() {
  const { t } = useTranslation('domains');
  const { domainId } = Route.useParams();
  const query = useQuery(domainQuery(useOrganization(), domainId));
  return (
    <AsyncRegion page query={query} what={t('records.what', { records: t('words.domain') })}>
      {(domain) => <DomainPage key={domain.id} domain={domain} />}
    </AsyncRegion>
  );
}
