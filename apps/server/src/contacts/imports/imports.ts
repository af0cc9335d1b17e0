import { cutText } from '@reachout/contract/rules/cut-text.ts';
import type {
  ContentImport,
  ImportDetails,
  RejectionKind,
  RejectionReason,
} from '@reachout/contract/content-imports.ts';
import { describeImportError } from '@reachout/contract/rules/import-error-text.ts';
import { isImportMoving } from '@reachout/contract/states/import.ts';
import { orNotFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ImportRow } from './import.ts';
import { findImport, selectFailedImports, selectImports } from './imports.queries.ts';
import {
  groupRejections,
  selectFirstRejections,
  type Rejection,
  type RejectionGroup,
} from './import-rejections.queries.ts';

const latest = 20;
const shownRejections = 20;
const shownReasons = { groups: 50, examples: 3 };
/** In characters. */
const maxShownValue = 200;

/** @param clientId  only imports into collections that this client can use */
export async function listImports(
  trx: Transaction,
  organizationId: string,
  clientId?: string,
): Promise<ContentImport[]> {
  const rows = await selectImports(trx, organizationId, { clientId, limit: latest });
  return await withRejections(trx, organizationId, rows);
}

/** @throws 404 */
export async function getImport(
  trx: Transaction,
  organizationId: string,
  id: string,
): Promise<ImportDetails> {
  const row = orNotFound(await findImport(trx, organizationId, id));
  const [found] = await withRejections(trx, organizationId, [row]);
  // While an import moves, its page asks again and again.
  const groups = isImportMoving(row)
    ? []
    : await groupRejections(trx, { organizationId, importId: id }, shownReasons);
  return { ...found!, reasons: groups.map((group) => toReason(row, group)) };
}

function toReason({ settings }: ImportRow, { kind, field, count, rows }: RejectionGroup): RejectionReason {
  const column = Object.entries(settings.mapping).find(([, name]) => name === field)?.[0];
  const index = column === undefined ? -1 : (settings.header ?? []).indexOf(column.trim());
  return {
    kind,
    field,
    count,
    error: rows[0]!.error,
    examples: rows.map(({ line, cells }) => ({
      line,
      value: index === -1 ? null : cutText(cells[index] ?? '', maxShownValue),
    })),
  };
}

/** The rejections of a check stay until the import begins. */
async function withRejections(
  trx: Transaction,
  organizationId: string,
  rows: readonly ImportRow[],
): Promise<ContentImport[]> {
  const firstOf = async (kind: RejectionKind, hasAny: (row: ImportRow) => boolean) => {
    const ids = rows.filter(hasAny).map(({ id }) => id);
    if (ids.length === 0) return new Map<string, Rejection[]>();
    const found = await selectFirstRejections(trx, organizationId, ids, { kind, limit: shownRejections });
    return Map.groupBy(found, ({ import_id }) => import_id);
  };
  const rejected = await firstOf('rejected', ({ rejected_count }) => rejected_count > 0);
  const leftOut = await firstOf('left_out', ({ left_out_count }) => left_out_count > 0);
  return rows.map((row) => toImport(row, rejected.get(row.id) ?? [], leftOut.get(row.id) ?? []));
}

const toImport = (
  { settings, line_done: _line, user_created: _user, endpoint: _endpoint, ...row }: ImportRow,
  rejected: readonly Rejection[],
  leftOut: readonly Rejection[],
): ContentImport => ({
  ...row,
  error_content: row.error && describeImportError(row.error),
  new_fields: settings.new_fields ?? [],
  rejected: rejected.map(toRow),
  left_out: leftOut.flatMap(({ line, left_out }) =>
    (left_out ?? []).slice(0, shownRejections).map((value) => toRow({ line, ...value })),
  ),
});

const toRow = ({ line, field, error }: Pick<Rejection, 'line' | 'field' | 'error'>) => ({
  line,
  field,
  error,
  reason: describeImportError(error),
});

/** How long failed imports are listed. */
const mentionedDays = 14;

/** Lists recently failed imports without a later successful one into the same collection. */
export const listFailedImports = (
  trx: Transaction,
  { organizationId, clientId }: { organizationId: string; clientId?: string | undefined },
  limit: number,
) => selectFailedImports(trx, organizationId, { days: mentionedDays, limit, clientId });
