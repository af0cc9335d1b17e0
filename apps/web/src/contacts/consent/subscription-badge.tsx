import { Skeleton } from '@mantine/core';
import type { SubscriptionSummary } from '@reachout/contract/consent.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SubscriptionProps } from '#web/content/collections/item-columns.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { summariesQuery } from './subscription-queries.ts';

/** The common state over all brands that the user can see. */
export function SubscriptionBadge({ summary }: { summary: SubscriptionSummary }) {
  const { t } = useTranslation('consent');
  const { state, suppressed_count, brands_count } = summary;
  return state === 'subscribed' && suppressed_count > 0 ? (
    <StatusBadge
      status="partly_unsubscribed"
      label={t('partly', { count: suppressed_count, brands: brands_count })}
    />
  ) : (
    <span className="one-line">
      <StatusBadge status={state} />
    </span>
  );
}

/** The subscriptions of a page are loaded with one request, only if the column is visible. */
export function SubscriptionCell({ collection, keys, of }: SubscriptionProps) {
  const { t } = useTranslation();
  const { data, isPending, isPlaceholderData } = useQuery(
    summariesQuery(useOrganization(), collection, [...keys]),
  );
  const summary = data?.get(of);
  if (summary !== undefined) return <SubscriptionBadge summary={summary} />;
  // A dash would read as “none”.
  // It is no higher than a line, so that rows keep their height.
  return isPending || isPlaceholderData ? (
    <Skeleton component="span" display="inline-block" height={12} width={96} />
  ) : (
    t('none')
  );
}
