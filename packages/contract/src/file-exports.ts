import { auditLogExport } from './audit-log.ts';
import { recipientsExport } from './sends.ts';
import { statisticsExport } from './statistics.ts';

/**
 * Downloads of files, by the action that the audit log records for each. They are declared like operations, but no part of the
 * `contract`: their responses stream, and clients open their addresses.
 */
export const fileExports = {
  'auditLog.export': auditLogExport,
  'sends.exportDeliveries': recipientsExport,
  'statistics.exportTable': statisticsExport,
};
