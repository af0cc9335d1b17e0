import { Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Quota } from '@reachout/contract/organizations.ts';
import { useFormat } from '#web/i18n/format.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { useOrganization } from './use-organization.ts';

/** From this share of the limit on, a text warning is shown, too. */
const warnFrom = 0.8;

/** The organization's usage of its limits, for users who can see the counted records. */
export function QuotaList() {
  const { t } = useTranslation('settings');
  const { api, orgId } = useOrganization();
  const query = useQuery(api.organizations.quotas.queryOptions({ input: { id: orgId } }));
  return (
    <SectionCard id="limits" title={t('quotas.title')} hint={t('quotas.hint')}>
      <AsyncRegion
        query={query}
        what={t('records.what', { records: t('quotas.title') })}
        skeleton={<PanelSkeleton height={200} />}
      >
        {({ items }) => (
          <Stack gap="md">
            {items.map((quota) => (
              <QuotaBar key={quota.quota} quota={quota} name={t(`quotas.names.${quota.quota}`)} />
            ))}
          </Stack>
        )}
      </AsyncRegion>
    </SectionCard>
  );
}

export function QuotaBar({ quota: { quota, limit, used }, name }: { quota: Quota; name: string }) {
  const { t } = useTranslation('problems');
  const format = useFormat();
  const isReached = used >= limit;
  const isNear = used >= limit * warnFrom;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text fw={500}>{name}</Text>
        <Text size="sm">
          {t('quotaUse.used', { used: format.number(used), limit: format.number(limit) })}
        </Text>
      </Group>
      <Progress
        value={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}
        {...(isNear ? { color: isReached ? 'red' : 'orange' } : {})}
        aria-label={name}
      />
      {isNear && (
        <Text size="sm" mt={4}>
          {t(isReached ? 'quotaUse.reached' : 'quotaUse.near')} {t(`quotaAdvice.${quota}`)}
        </Text>
      )}
    </div>
  );
}
