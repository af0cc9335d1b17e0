import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { sendOutcome, type SendCounters } from './send-outcome.ts';

/** The status of a send. If it has ended, whether everyone got it, and how many did not if these are few. */
export function SendStatusBadge({ send }: { send: SendCounters }) {
  const { t } = useTranslation('sends');
  const format = useFormat();
  const { status, phase, notSent } = sendOutcome(send);
  const label = phase === 'mostly_sent' ? t('mostlySent', { number: format.number(notSent) }) : undefined;
  return <StatusBadge status={status} label={label} />;
}
