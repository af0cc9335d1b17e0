export { eraseClients, listEventsOf, type EventOfPerson } from './recipient-events.queries.ts';
