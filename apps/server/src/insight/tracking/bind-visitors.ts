import { bindVisitors as bindingsOf } from '../../contacts/people/visitor-contacts.ts';
import type { EventEffect } from '../../events/effects.ts';

/** Binds visitors to the contacts whose links they followed. Bots that follow one are nobody. */
export const bindVisitors: EventEffect = (events) => {
  const links = events.flatMap((event) => {
    if (event.subject !== 'visitor' || event.message === null || event.isBot) return [];
    const { touchpointId, visitorId, at, message } = event;
    return [{ touchpointId, visitorId, at, ...message }];
  });
  return links.length === 0 ? [] : bindingsOf(events[0]!.organizationId, links);
};
