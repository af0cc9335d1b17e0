import type { SubscriptionSummary } from '@reachout/contract/consent.ts';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '#web/ui/status-badge.tsx';

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
