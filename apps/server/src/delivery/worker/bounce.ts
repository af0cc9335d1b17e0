import { newId } from '../../platform/ids.ts';
import type { Bounce } from '../queue/delivery.queries.ts';
import type { DeliveryResult } from '../queue/delivery.ts';
import type { LeasedBatch } from './lease.ts';

/** The event of a rejection, and the suppression of an address that does not exist. */
export function toBounce({ seq, at, result }: DeliveryResult, batch: LeasedBatch): Bounce {
  const { ref, touchpointId } = batch.send;
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
      isBot: false,
      userAgent: null,
      ipPrefix: null,
    },
    suppressed: suppress ? { id: newId(), seq, addressKey: batch.addressOf(seq).toLowerCase() } : undefined,
  };
}
