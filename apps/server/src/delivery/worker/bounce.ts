import { newId } from '../../platform/ids.ts';
import type { DeliveryResult, Recipient } from '../queue/delivery.ts';
import type { Bounce } from '../queue/bounces.ts';
import type { ActiveSend } from './active-send.ts';

/** @returns the event of a bounce, with the suppression of an address that does not exist; undefined if none is stored */
export function toBounce(
  { seq, at, result }: DeliveryResult,
  { address }: Recipient,
  { ref, touchpointId, isTest }: ActiveSend,
): Bounce | undefined {
  if (isTest || result.kind !== 'final' || result.state !== 'bounced') return undefined;
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
    suppressed: result.suppress ? { id: newId(), seq, addressKey: address.toLowerCase() } : undefined,
  };
}
