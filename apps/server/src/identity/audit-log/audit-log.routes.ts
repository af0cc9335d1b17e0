import type { AuditEntry } from '@reachout/contract/audit-log.ts';
import { fileExport, readPages } from '../access/file-exports.ts';
import { inTransaction, operations } from '../access/operations.ts';
import { toCsv, type CsvColumns } from '../../platform/csv-text.ts';
import { listAuditEntries, listAuditEntriesBefore, type AuditCursor } from './audit-log.queries.ts';

export const auditLogRoutes = {
  list: inTransaction(operations.auditLog.list, (trx, input) => listAuditEntries(trx, input)),
};

const columns: CsvColumns<AuditEntry> = {
  at: (entry) => entry.at,
  user: (entry) => entry.user?.full_name,
  email: (entry) => entry.user?.email,
  api_key: (entry) => entry.api_key?.name,
  action: (entry) => entry.action,
  record_type: (entry) => entry.record_type,
  record_id: (entry) => entry.record_id,
  record_name: (entry) => entry.record_name,
  details: (entry) => JSON.stringify(entry.details),
  ip_address: (entry) => entry.ip_address,
  user_agent: (entry) => entry.user_agent,
};

const pageRows = 500;

export const auditLogExport = fileExport('auditLog.export', async ({ id: _id, ...filter }, { readPage }) => ({
  name: 'audit-log.csv',
  pieces: toCsv(
    columns,
    readPages<AuditEntry & AuditCursor>(readPage, pageRows, (trx, { last, limit }) =>
      listAuditEntriesBefore(trx, filter, { before: last, limit }),
    ),
  ),
  note: { record_type: 'auditLog', details: { filters: Object.keys(filter) } },
}));
