import { auditLogExport } from './audit-log.ts';
import { rejectedExport } from './content-imports.ts';
import { itemsExport } from './content.ts';
import { recipientsExport } from './sends.ts';
import { proofExport } from './sign-up-forms.ts';
import { statisticsExport } from './statistics.ts';
import { suppressionsExport } from './suppressions.ts';

/**
 * Downloads of files, by the action that the audit log records for each. They are declared like operations, but no part of the
 * `contract`: their responses stream, and clients open their addresses.
 */
export const fileExports = {
  'auditLog.export': auditLogExport,
  'content.exportItems': itemsExport,
  'content.exportRejected': rejectedExport,
  'sends.exportDeliveries': recipientsExport,
  'signUpForms.exportProof': proofExport,
  'statistics.exportTable': statisticsExport,
  'suppressions.export': suppressionsExport,
};
