import type { TouchpointEvent, TouchpointEventListener } from '../event-graph.ts';

/** One line of the event graph: an event, and a touchpoint that reacts to it. */
export interface Connection {
  id: string;
  event: TouchpointEvent;
  /** Null while nothing reacts to the event. */
  listener: TouchpointEventListener | null;
}

export const toConnections = (events: readonly TouchpointEvent[]): Connection[] =>
  events.flatMap((event): Connection[] =>
    event.listeners.length === 0
      ? [{ id: event.id, event, listener: null }]
      : event.listeners.map((listener) => ({ id: listener.id, event, listener })),
  );

/** Whether its event has no other listener, and goes with it. */
export const isAlone = ({ event }: Connection): boolean => event.listeners.length < 2;
