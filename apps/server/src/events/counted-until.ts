export { readCountedUntil } from './counted-until.queries.ts';
