/** By these a list of records can be ordered. */
export const figureColumns = ['recipients', 'delivered', 'opened', 'clicked', 'sent_at'] as const;
export type FigureColumn = (typeof figureColumns)[number];
