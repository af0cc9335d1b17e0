import { StatusBadge } from '#web/ui/status-badge.tsx';
import { sendOutcome, type SendCounters } from './send-outcome.ts';

/** The status of a send; of one that has ended, whether everybody got it. */
export const SendStatusBadge = ({ send }: { send: SendCounters }) => (
  <StatusBadge status={sendOutcome(send).status} />
);
