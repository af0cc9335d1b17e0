import { StatusBadge } from '#web/ui/status-badge.tsx';
import { sendOutcome, type SendCounters } from './send-outcome.ts';

/** The status of a send. If it has ended, whether everyone got it, and how many did not. */
export function SendStatusBadge({ send }: { send: SendCounters }) {
  const { status, notSent } = sendOutcome(send);
  return <StatusBadge status={status} notDelivered={notSent} />;
}
