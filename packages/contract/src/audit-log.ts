import { z } from 'zod';
import { memberOperations } from './operation.ts';
import { csvFile, id, itemKey, list, paging, search, timestamp, timestampInput } from './values.ts';

export const AuditEntry = z.object({
  id,
  at: timestamp,
  /** The acting user; null if the account was deleted or the platform acted. */
  user: z.object({ id, full_name: z.string(), email: z.string() }).nullable(),
  api_key: z.object({ id, name: z.string() }).nullable(),
  action: z.string(),
  record_type: z.string().nullable(),
  record_id: z.string().nullable(),
  record_name: z.string().nullable(),
  details: z.record(z.string(), z.json()),
  ip_address: z.string().nullable(),
  user_agent: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const onAuditLog = memberOperations('Audit log', 'organizations');

export const auditFilters = {
  search,
  user_id: id.optional(),
  /** Prefix of an action, such as `clients.` or `members.remove`. */
  action: z
    .string()
    .max(80)
    .regex(/^[\w.]{1,80}$/)
    .optional(),
  record_id: itemKey.optional(),
  from: timestampInput.optional(),
  to: timestampInput.optional(),
};
export type AuditFilter = z.output<z.ZodObject<typeof auditFilters>>;

export const auditLog = {
  list: onAuditLog('GET /organizations/{id}/audit_log', 'Who did what, the latest first', 'read AuditLog')
    .input({ ...auditFilters, ...paging() })
    .output(list(AuditEntry)),
};

export const auditLogExport = onAuditLog(
  'GET /organizations/{id}/audit_log/export',
  'The audit log as a CSV file, the latest entries first',
  'read AuditLog',
  { isExpensive: true },
)
  .input({ ...auditFilters })
  .output(csvFile);
