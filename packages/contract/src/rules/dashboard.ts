/**
 * Statistics periods (docs/statistics.md) that end with the current hour or day, so they begin on a quarter-hour boundary.
 */
export const dashboardPeriods = ['24hour', '7day', '30day', '90day'] as const;
export type DashboardPeriod = (typeof dashboardPeriods)[number];

export const defaultDashboardPeriod = '30day' satisfies DashboardPeriod;
export const longestDashboardPeriod = '90day' satisfies DashboardPeriod;

/** Columns by which the emails behind the results can be sorted. */
export const resultColumns = ['delivered', 'clicked', 'opened', 'converted', 'unsubscribed'] as const;
export type ResultColumn = (typeof resultColumns)[number];
