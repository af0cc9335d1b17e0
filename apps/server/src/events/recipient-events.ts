export { anonymizeEvents, selectEventsOf } from './recipient-events.queries.ts';
