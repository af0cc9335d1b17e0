import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { QuietText } from '#web/ui/text.ts';
import { brandDomainsQuery } from './brand-domains-query.ts';
import { DomainStatusBadge } from './domain-status.tsx';

/** The domains that a brand can use, with their status; nothing if there are none. */
export function BrandDomains({ brandId }: { brandId: string }) {
  const { t } = useTranslation('domains');
  const scope = useOrganization();
  const { orgId } = scope;
  const { data } = useQuery(brandDomainsQuery(scope, brandId));
  if (data === undefined || data.count === 0) return null;
  const rest = data.count - data.items.length;
  return (
    <Group component="section" aria-label={t('words.domains')} gap="xs" mb="sm">
      <QuietText span>{t('words.domains')}</QuietText>
      {data.items.map(({ id, domain, status }) => (
        <Group key={id} gap={6}>
          <LinkAnchor to="/o/$orgId/domains/$domainId" params={{ orgId, domainId: id }} size="sm">
            {domain}
          </LinkAnchor>
          <DomainStatusBadge status={status} />
        </Group>
      ))}
      {rest > 0 && (
        <LinkAnchor to="/o/$orgId/domains" params={{ orgId }} size="sm">
          {t('words.andMore', { count: rest })}
        </LinkAnchor>
      )}
    </Group>
  );
}
