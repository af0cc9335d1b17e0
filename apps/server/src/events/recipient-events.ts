export { anonymizeEvents, listEventsOf } from './recipient-events.queries.ts';
