import type { Listener } from '../../events/listeners.ts';
import {
  attributeAgain,
  insertConversions,
  insertLinks,
  lockVisitors,
  trimLinks,
} from './conversion.queries.ts';

/**
 * Records the links that visitors followed, and events that are goals. A conversion belongs to the message whose link was
 * followed last before it, whichever of them arrives first.
 */
export const recordConversions: Listener = (events) => {
  const visits = events.filter((event) => event.subject === 'visitor').filter(({ isBot }) => !isBot);
  const links = visits.flatMap(({ touchpointId, visitorId, at, message }) =>
    message === null
      ? []
      : [
          {
            touchpoint_id: touchpointId,
            visitor_id: visitorId,
            at,
            send_id: message.sendId,
            seq: message.seq,
          },
        ],
  );
  const conversions = visits.flatMap(({ id, touchpointId, visitorId, at, name, conversion }) =>
    conversion === null
      ? []
      : [
          {
            touchpoint_id: touchpointId,
            event_id: id,
            goal_id: conversion.goalId,
            at,
            window_days: conversion.windowDays,
            value: conversion.value,
            visitor_id: visitorId,
            name,
          },
        ],
  );
  if (links.length === 0 && conversions.length === 0) return [];
  const { organizationId } = events[0]!;
  const valuesOf = (rows: readonly object[]) => [organizationId, JSON.stringify(rows)];
  return [
    { ...lockVisitors, values: valuesOf([...links, ...conversions]) },
    ...(links.length === 0
      ? []
      : [insertLinks, trimLinks, attributeAgain].map((statement) => ({
          ...statement,
          values: valuesOf(links),
        }))),
    ...(conversions.length === 0 ? [] : [{ ...insertConversions, values: valuesOf(conversions) }]),
  ];
};
