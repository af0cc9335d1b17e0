import type { MessageEvent } from '../events/event.ts';
import { newId } from '../platform/ids.ts';
import type { SentEmail } from './sent-email.ts';

/** Builds the first open of a message by a person. */
export const buildOpen = (
  { organizationId, touchpointId, sendId }: Pick<SentEmail, 'organizationId' | 'touchpointId' | 'sendId'>,
  seq = 1,
): MessageEvent => ({
  id: newId(),
  subject: 'message',
  organizationId,
  touchpointId,
  sendId,
  seq,
  type: 'OPEN_EMAIL',
  linkNo: null,
  at: new Date(),
  isBot: false,
  userAgent: null,
  ipPrefix: null,
});
