import type { Step } from '../platform/database/pipelined.ts';
import type { VisitorEvent } from './event.ts';

/**
 * Makes events of visitors of any organizations into one step that only appends them: they are counted when they are
 * folded. An event with an id that its website has already changes nothing.
 */
export const appendVisitorEvents = (events: readonly VisitorEvent[]): Step => ({
  name: 'append_visitor_events',
  text: 'select append_visitor_events($1::json)',
  values: [JSON.stringify(events.map(toRow))],
});

const toRow = (event: VisitorEvent) => ({
  organization_id: event.organizationId,
  touchpoint_id: event.touchpointId,
  id: event.id,
  at: event.at,
  client_at: event.clientAt,
  type: event.type,
  visitor_id: event.visitorId,
  name: event.name,
  url: event.url,
  path: event.path,
  title: event.title,
  referrer: event.referrer,
  referrer_host: event.referrerHost,
  language: event.language,
  country: event.country,
  width: event.width,
  height: event.height,
  user_id: event.userId,
  collection: event.collection,
  is_bot: event.isBot,
});
