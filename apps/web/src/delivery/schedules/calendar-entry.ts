import type { Occurrence } from '@reachout/contract/schedules.ts';

/** Whether its time can be changed: nothing has started. */
export const isChangeable = ({ status, schedule_id }: Occurrence): boolean =>
  schedule_id !== null && (status === 'queued' || status === 'held');

/** Moving one of a series by hand would move all of them. */
export const isDraggable = (entry: Occurrence): boolean =>
  entry.status === 'queued' && isChangeable(entry) && entry.rrule === null;

/** The status of its badge, by the names in lists: without its counters, a completed send is sent. */
export const shownStatusOf = ({ status }: Occurrence): string =>
  status === 'queued' ? 'scheduled' : status === 'completed' ? 'sent' : status;
