import type { Step } from '../../platform/database/pipelined.ts';
import { insertVisitorContacts, trimVisitorContacts } from './visitor-contact.queries.ts';

export { unbindVisitors } from './visitor-contact.queries.ts';

/** A visitor of a website followed the link of a message. */
export interface VisitorLink {
  touchpointId: string;
  visitorId: string;
  at: Date;
  sendId: string;
  seq: number;
}

/**
 * Binds visitors to the contacts of the messages, from then on and until a link to another contact is followed in the same
 * browser. Messages that are no longer stored, and contacts that were deleted, bind nobody.
 */
export function bindVisitors(organizationId: string, links: readonly VisitorLink[]): Step[] {
  const rows = links.map(({ touchpointId, visitorId, at, sendId, seq }) => ({
    touchpoint_id: touchpointId,
    visitor_id: visitorId,
    at,
    send_id: sendId,
    seq,
  }));
  const values = [organizationId, JSON.stringify(rows)];
  return [
    { ...insertVisitorContacts, values },
    { ...trimVisitorContacts, values },
  ];
}
