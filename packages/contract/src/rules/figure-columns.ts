import { isWithin, type AccessScope } from '../access-scope.ts';

/** Columns by which lists of records can be sorted. */
export const figureColumns = [
  'recipients',
  'delivered',
  'opened',
  'clicked',
  'converted',
  'sent_at',
] as const;
export type FigureColumn = (typeof figureColumns)[number];

/** Whether the column counts actions of recipients. */
export const isReaction = (column: FigureColumn): column is 'opened' | 'clicked' | 'converted' =>
  column === 'opened' || column === 'clicked' || column === 'converted';

/**
 * @returns the figures that the caller can read and sort by, as an order reveals values too: none without permission to read
 * touchpoints, and reactions only if the scope of `read Statistics` includes that of `read Touchpoint`.
 */
export function readableFigures(
  readScopeOf: (subject: 'Touchpoint' | 'Statistics') => AccessScope,
): readonly FigureColumn[] {
  const touchpoints = readScopeOf('Touchpoint');
  if (touchpoints === 'nothing') return [];
  return isWithin(touchpoints, readScopeOf('Statistics'))
    ? figureColumns
    : figureColumns.filter((column) => !isReaction(column));
}
