/**
 * The time of this process, for ages and delays only. It does not jump when the clock of the machine is set, and may be hours
 * away from that of the database, so it never becomes a time in a row that other processes read.
 */
export const processNow = (): Date => new Date(performance.timeOrigin + performance.now());
