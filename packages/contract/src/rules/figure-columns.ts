import { isWithin, type AccessScope } from '../access-scope.ts';

/** By these a list of records can be ordered. */
export const figureColumns = ['recipients', 'delivered', 'opened', 'clicked', 'sent_at'] as const;
export type FigureColumn = (typeof figureColumns)[number];

/** What people did. */
export const isReaction = (column: FigureColumn): column is 'opened' | 'clicked' =>
  column === 'opened' || column === 'clicked';

/**
 * The figures that somebody gets of records, by whose order these could be told, too: none without a permission to read
 * touchpoints, and what people did only where the one to read statistics goes as far.
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
