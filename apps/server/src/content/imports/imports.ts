import type { ContentImport } from '@reachout/contract/content-imports.ts';
import { describeImportError } from '@reachout/contract/rules/import-error-text.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ImportRow } from './import.ts';
import { findImport, selectFailedImports, selectImports } from './imports.queries.ts';
import { selectFirstRejections, type Rejection } from './import-rejections.queries.ts';

const latest = 20;
const shownRejections = 20;

/** @param clientId  only imports into collections that this client can use */
export async function listImports(
  trx: Transaction,
  organizationId: string,
  clientId?: string,
): Promise<ContentImport[]> {
  const rows = await selectImports(trx, organizationId, { clientId, limit: latest });
  const ids = rows.filter(hasRejections).map(({ id }) => id);
  const rejections = await selectFirstRejections(trx, organizationId, ids, shownRejections);
  const rejectionsOf = Map.groupBy(rejections, ({ import_id }) => import_id);
  return rows.map((row) => toImport(row, rejectionsOf.get(row.id) ?? []));
}

/** @throws 404 */
export async function getImport(
  trx: Transaction,
  organizationId: string,
  id: string,
): Promise<ContentImport> {
  const row = await findImport(trx, organizationId, id);
  if (row === undefined) throw notFound();
  const ids = hasRejections(row) ? [id] : [];
  return toImport(row, await selectFirstRejections(trx, organizationId, ids, shownRejections));
}

/** The rejections of a check stay until the import begins. */
const hasRejections = ({ rejected_count }: ImportRow): boolean => rejected_count > 0;

const toImport = (
  { settings, line_done: _line, user_created: _user, endpoint: _endpoint, ...row }: ImportRow,
  rejections: readonly Rejection[],
): ContentImport => ({
  ...row,
  error_content: row.error && describeImportError(row.error),
  new_fields: settings.new_fields ?? [],
  rejected: rejections.map(({ line, field, error }) => ({
    line,
    field,
    error,
    reason: describeImportError(error),
  })),
});

/** How long failed imports are listed. */
const mentionedDays = 14;

/** Lists recently failed imports without a later successful one into the same collection. */
export const listFailedImports = (
  trx: Transaction,
  { organizationId, clientId }: { organizationId: string; clientId?: string | undefined },
  limit: number,
) => selectFailedImports(trx, organizationId, { days: mentionedDays, limit, clientId });
