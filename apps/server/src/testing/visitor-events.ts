import { randomUUID } from 'node:crypto';
import type { VisitorEvent } from '../events/event.ts';

export interface Website {
  organizationId: string;
  touchpointId: string;
}

/** @returns a page view of a new visitor, now */
export const buildVisit = (
  { organizationId, touchpointId }: Website,
  given: Partial<VisitorEvent> = {},
): VisitorEvent => ({
  subject: 'visitor',
  organizationId,
  touchpointId,
  id: randomUUID(),
  at: new Date(),
  clientAt: null,
  type: 'VIEW_PAGE',
  visitorId: randomUUID(),
  name: null,
  url: `https://shop.example${given.path ?? '/'}`,
  path: '/',
  title: null,
  referrer: null,
  referrerHost: null,
  language: null,
  country: null,
  width: null,
  height: null,
  userId: null,
  collection: null,
  isBot: false,
  message: null,
  ...given,
});
