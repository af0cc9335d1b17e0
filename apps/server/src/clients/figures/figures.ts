import { accessScopeOf, type Subject } from '@reachout/contract/abilities.ts';
import type { AccessScope } from '@reachout/contract/access-scope.ts';
import type { Figures } from '@reachout/contract/figures.ts';
import { isReaction, readableFigures } from '@reachout/contract/rules/figure-columns.ts';
import { outcomeOfSend } from '@reachout/contract/states/send.ts';
import type { OperationContext } from '../../identity/access/operations.ts';
import { forbidden } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { splitOrder } from '../../platform/database/list-page.ts';
import { isFigureColumn, type FigureLevel, type FigureScope } from './figures-sql.ts';
import { listFigures, type FiguresRow } from './figures.queries.ts';

export type FigureReader = Pick<OperationContext, 'can' | 'rules' | 'organizationId'>;

/**
 * The figures of some records: the results of the sends of their touchpoints, as far as the reader may read these.
 * @returns the figures of a record by its id; null for readers who may not read touchpoints
 */
export async function readFigures(
  trx: Transaction,
  reader: FigureReader,
  level: FigureLevel,
  ids: readonly string[],
): Promise<(id: string) => Figures | null> {
  const scope = scopeOf(reader, 'Touchpoint');
  if (scope === 'nothing') return () => null;
  const rows = ids.length === 0 ? [] : await listFigures(trx, level, ids, scope);
  const byRecord = new Map(rows.map((row) => [row.record_id, row]));
  const hasReactions = figuresOf(reader).some(isReaction);
  return (id) => toFigures(byRecord.get(id), hasReactions);
}

/** Like `readFigures`, added to the rows of a list. */
export async function withFigures<Row extends { id: string }>(
  trx: Transaction,
  reader: FigureReader,
  level: FigureLevel,
  rows: readonly Row[],
): Promise<(Row & { figures: Figures | null })[]> {
  const figuresOf = await readFigures(
    trx,
    reader,
    level,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, figures: figuresOf(row.id) }));
}

/**
 * @returns the scope of the figures that a list can be sorted by: the order reveals the underlying numbers
 * @throws 403 if the order uses figures that the reader may not see
 */
export function figureOrderScope(reader: FigureReader, order: `${string}.${'asc' | 'desc'}`): FigureScope {
  const { column } = splitOrder(order);
  if (!isFigureColumn(column)) return 'all';
  const scope = scopeOf(reader, 'Touchpoint');
  if (scope === 'nothing') throw forbidden('read', 'Touchpoint');
  if (!figuresOf(reader).includes(column)) throw forbidden('read', 'Statistics');
  return scope;
}

const figuresOf = (reader: FigureReader) => readableFigures((subject) => scopeOf(reader, subject));

/** Access scope in which a reader may read these records. */
export const scopeOf = ({ can, rules, organizationId }: FigureReader, subject: Subject): AccessScope =>
  can('read', subject) ? accessScopeOf(rules, 'read', subject, organizationId) : 'nothing';

const toFigures = (row: FiguresRow | undefined, hasReactions: boolean): Figures => ({
  recipients: row?.recipients ?? 0,
  delivered: row?.delivered ?? 0,
  not_measured: row?.not_measured ?? 0,
  opened: hasReactions ? (row?.opened ?? 0) : null,
  clicked: hasReactions ? (row?.clicked ?? 0) : null,
  converted: hasReactions ? (row?.converted ?? 0) : null,
  conversions: hasReactions ? (row?.conversions ?? 0) : null,
  email_touchpoint_id: row?.email_touchpoint_id ?? null,
  last_send: row === undefined ? null : toLastSend(row),
});

function toLastSend({ send_id, touchpoint_id, status, at, by, ...row }: FiguresRow): Figures['last_send'] {
  if (send_id === null) return null;
  const { send_recipients: recipients, send_delivered: sent } = row;
  const outcome = outcomeOfSend({ status, recipients, sent });
  const not_delivered = status === 'completed' ? recipients - sent : 0;
  return { id: send_id, touchpoint_id, outcome, not_delivered, at, by };
}
