/** What was stored of a website, for the screens that show whether it works. */
export { findEventSpan, listNewestEvents } from './website-activity.queries.ts';
