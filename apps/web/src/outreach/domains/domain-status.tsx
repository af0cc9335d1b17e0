import type { DomainStatus } from '@reachout/contract/states/domain.ts';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const looks = { pending: 'pending', verified: 'active', failing: 'failed' } as const satisfies Record<
  DomainStatus,
  string
>;

export function DomainStatusBadge({ status }: { status: DomainStatus }) {
  const { t } = useTranslation('domains');
  return <StatusBadge status={looks[status]} label={t(`status.${status}`)} />;
}
