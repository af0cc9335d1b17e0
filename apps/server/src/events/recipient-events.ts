export { eraseClients, listEventsOf } from './recipient-events.queries.ts';
