export { createItems, type Items, type ItemsOptions } from './items.ts';
export { createTracker, type Tracker, type TrackerOptions } from './tracker.ts';
export { TrackerError, type TrackerErrorName } from './tracker-error.ts';
