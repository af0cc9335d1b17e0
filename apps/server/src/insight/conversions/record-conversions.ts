import type { EventEffect } from '../../events/effects.ts';
import type { PreparedStatement } from '../../platform/database/pipelined.ts';
import {
  attributeAgain,
  insertConversions,
  insertLinks,
  insertNamedConversions,
  lockVisitors,
  trimLinks,
} from './conversion.queries.ts';

/**
 * Records the links that visitors followed, and events that are goals. A conversion belongs to the message whose link was
 * followed last before it, whichever of them arrives first.
 */
export const recordConversions: EventEffect = (events) => {
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
            conversion_id: conversion.id ?? id,
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
  const step = (statement: PreparedStatement, rows: readonly object[]) =>
    rows.length === 0 ? [] : [{ ...statement, values: valuesOf(rows) }];
  return [
    { ...lockVisitors, values: valuesOf([...links, ...conversions]) },
    ...[insertLinks, trimLinks, attributeAgain].flatMap((statement) => step(statement, links)),
    ...step(
      insertConversions,
      conversions.filter((row) => row.conversion_id === row.event_id),
    ),
    ...step(
      insertNamedConversions,
      conversions.filter((row) => row.conversion_id !== row.event_id),
    ),
  ];
};
