import { newId } from '../../platform/ids.ts';
import type { Bounce } from '../queue/delivery.queries.ts';
import type { Outcome } from '../queue/delivery.ts';
import type { DeliveryRun } from './lease.ts';

/** The event of a refusal, and the address that it keeps from further mail where it does not exist. */
export function toBounce({ seq, at, result }: Outcome, run: DeliveryRun): Bounce {
  const { ref, touchpointId } = run.send;
  const suppress = result.kind === 'final' && result.suppress;
  return {
    event: {
      ...ref,
      touchpointId,
      id: newId(),
      seq,
      type: 'BOUNCE',
      linkNo: null,
      at: new Date(at),
      automatic: false,
      userAgent: null,
      network: null,
    },
    suppressed: suppress ? { id: newId(), seq, addressKey: run.addressOf(seq).toLowerCase() } : undefined,
  };
}
