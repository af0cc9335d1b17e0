import { sendCan } from '@reachout/contract/states/send.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { sendOutcome, type SendCounters } from './send-outcome.ts';

/** The status of a send; of one that has ended, whether everybody got it. One that waits for its start is called as its email is. */
export const SendStatusBadge = ({ send }: { send: SendCounters }) => (
  <StatusBadge status={sendCan.undo(send) ? 'scheduled' : sendOutcome(send).status} />
);
