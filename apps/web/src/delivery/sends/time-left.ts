const minute = 60;
const hour = 60 * minute;

/** A rounded duration: whole minutes up to two hours, then whole hours. */
export interface TimeLeft {
  unit: 'lessThanMinute' | 'minutes' | 'hours';
  count: number;
}

/** @param seconds  as `SendPace.seconds_left` */
export function timeLeft(seconds: number): TimeLeft {
  if (seconds < minute) return { unit: 'lessThanMinute', count: 0 };
  if (seconds < 2 * hour) return { unit: 'minutes', count: Math.round(seconds / minute) };
  return { unit: 'hours', count: Math.round(seconds / hour) };
}
