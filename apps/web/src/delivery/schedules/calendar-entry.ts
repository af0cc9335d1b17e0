import type { Occurrence } from '@reachout/contract/schedules.ts';
import { outcomeOfSend, plannedStatus } from '@reachout/contract/states/send.ts';

/** Whether its time can be changed: nothing has started. */
export const isChangeable = ({ status, schedule_id }: Occurrence): boolean =>
  schedule_id !== null && (status === 'queued' || status === 'held');

/** Moving one of a series by hand would move all of them. */
export const isDraggable = (entry: Occurrence): boolean =>
  entry.status === 'queued' && isChangeable(entry) && entry.rrule === null;

/** The status of its badge, by the names in lists. */
export const shownStatusOf = ({ status, recipients, sent }: Occurrence): string =>
  status === 'queued'
    ? 'scheduled'
    : status === plannedStatus
      ? status
      : outcomeOfSend({ status, recipients, sent });
