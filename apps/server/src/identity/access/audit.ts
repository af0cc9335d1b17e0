import { cutText } from '@reachout/contract/rules/cut-text.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { hasRecentEntry, insertAuditEntry, insertSignInEntries } from './audit.queries.ts';
import type { Caller, RequestOrigin } from './caller.ts';

/** Record and details of an audit entry; a missing field is unknown or does not apply. */
export interface AuditNote {
  record_type?: string | undefined;
  record_id?: string | undefined;
  /** Display name, which stays in the log after the record is deleted. */
  record_name?: string | undefined;
  /** Small values, such as the role before and after; no secrets and no contact data. */
  details?: Record<string, unknown> | undefined;
  /** Names of the fields given, instead of those of the input. */
  fields?: string[] | undefined;
  /** New values of changed fields, by name, in addition to those that `describeOperation` finds. */
  values?: Record<string, string> | undefined;
}

export interface AuditedCaller {
  /** Undefined for a caller with a token but no account, such as a person who declines an invitation. */
  userId: string | undefined;
  apiKey?: Caller['apiKey'];
  organizationId: string;
  origin: RequestOrigin;
}

const nameLimit = 200;

/**
 * Adds an entry to the audit log of the transaction's organization; it commits or rolls back with the transaction.
 * Member operations that change something do this automatically (operations.ts); call this for everything else.
 */
export async function writeAuditEntry(
  trx: Transaction,
  who: AuditedCaller,
  action: string,
  note: AuditNote = {},
): Promise<void> {
  await insertAuditEntry(trx, {
    organization_id: who.organizationId,
    id: newId(),
    user_id: who.userId ?? null,
    api_key_id: who.apiKey?.id ?? null,
    action,
    record_type: note.record_type ?? null,
    record_id: note.record_id ?? null,
    record_name: note.record_name === undefined ? null : cutText(note.record_name, nameLimit),
    details: JSON.stringify(note.details ?? {}),
    ip_address: who.origin.ipAddress ?? null,
    user_agent: toStored(who.origin.userAgent),
  });
}

/** Whether this caller performed the same action on the same record in the last 24 hours. */
export const isInAuditLog = (
  trx: Transaction,
  { userId, apiKey, organizationId }: AuditedCaller,
  action: string,
  note: AuditNote,
): Promise<boolean> =>
  hasRecentEntry(trx, {
    organization_id: organizationId,
    user_id: userId ?? null,
    api_key_id: apiKey?.id ?? null,
    action,
    record_id: note.record_id ?? null,
  });

/** Records a newly opened session in the audit logs of all organizations of the acting user, in one statement. */
export async function writeSignInEntries(
  trx: Transaction,
  { sessionId, method, origin }: { sessionId: string; method: string; origin: RequestOrigin },
): Promise<void> {
  await insertSignInEntries(trx, {
    id: newId(),
    session_id: sessionId,
    method,
    ip_address: origin.ipAddress ?? null,
    user_agent: toStored(origin.userAgent),
  });
}

const toStored = (userAgent: string | undefined): string | null => userAgent?.slice(0, 500) ?? null;

/**
 * Describes any operation by its input and response: the record, its name, the names of the fields given, and the new
 * values of some. A handler that knows more adds it with `context.note`.
 */
export function describeOperation(path: readonly string[], input: unknown, response: unknown): AuditNote {
  const given = asRecord(input);
  const got = asRecord(response);
  const text = (...values: unknown[]) => values.find((value) => typeof value === 'string');
  const fields = Object.keys(given).filter((key) => !unchanged.test(key));
  const name = text(got['name'], got['title'], got['full_name']);
  const values = Object.fromEntries(
    fields.flatMap((field) => {
      const value = keptValue(field, given, got);
      // The name of the record is in the entry already.
      return value === undefined || value === name ? [] : [[field, value]];
    }),
  );
  return {
    record_type: path[0],
    record_id: text(got['id'], given['id'], given['organization_id']),
    record_name: name,
    details: {
      ...(fields.length === 0 ? {} : { fields }),
      ...(Object.keys(values).length === 0 ? {} : { values }),
    },
  };
}

/** What `describeOperation` found, and above it what the handler noted. */
export function addNotes(described: AuditNote, notes: readonly AuditNote[]): AuditNote {
  const { fields, values, ...note } = Object.assign({}, described, ...notes) as AuditNote;
  const details: Record<string, unknown> = { ...note.details, ...(fields && { fields }) };
  if (values === undefined) return { ...note, details };
  return { ...note, details: { ...details, values: { ...asRecord(details['values']), ...values } } };
}

/** Input fields that say which record, or which version of it, and change nothing. */
const unchanged =
  /^(?:id|organization_id|(?:address|contact|goal|invitation|key|social|user)_id|(?:expected|if)_\w+)$/;

/**
 * Fields whose new value is kept: names of records, subjects and choices. Everything else may be personal data, a secret
 * or long.
 */
const keptFields: ReadonlySet<string> = new Set([
  'bookmark',
  'color',
  'currency',
  'hidden',
  'is_active',
  'is_public',
  'is_required',
  'is_shared',
  'label',
  'language',
  'name',
  'network',
  'required',
  'starter',
  'status',
  'subject',
  'template_type',
  'title',
  'type',
  'uncertain_policy',
  'unique',
  'website_events_days',
]);

/** @returns the new value of a field; of a reference, the name that the record has now; undefined if it is not kept */
function keptValue(
  field: string,
  given: Record<string, unknown>,
  got: Record<string, unknown>,
): string | boolean | undefined {
  const named = field.endsWith('_id') ? asRecord(got[field.slice(0, -'_id'.length)])['name'] : undefined;
  const value = named ?? (keptFields.has(field) ? given[field] : undefined);
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? cutText(value, nameLimit) : undefined;
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
