interface Request {
  /** Of the installation, without a slash at the end. */
  origin: string;
  organizationId: string;
  touchpointId: string;
  to: string;
  /** Fields that the email reads; null: any. */
  fields: readonly string[] | null;
  idempotencyKey: string;
}

/** Names that the API takes in `data`: `fieldName` in packages/contract/src/values.ts. */
const isAccepted = (field: string): boolean => /^[a-z][a-z0-9_]{0,62}$/.test(field);

/** The fields of `data` that a request for an email should have. */
export const requestFields = (fields: readonly string[] | null): string[] =>
  (fields ?? []).filter(isAccepted);

/** A command for a POSIX shell that requests one message. The variable REACHOUT_API_KEY has the key. */
export function toCommand({
  origin,
  organizationId,
  touchpointId,
  to,
  fields,
  idempotencyKey,
}: Request): string {
  const data = Object.fromEntries(requestFields(fields).map((field) => [field, valueOf(field, to)]));
  const body = { organization_id: organizationId, touchpoint_id: touchpointId, to, data };
  return [
    `curl ${quote(`${origin}/api/messages`)}`,
    `--header "Authorization: Bearer $REACHOUT_API_KEY"`,
    `--header 'Content-Type: application/json'`,
    `--header 'Idempotency-Key: ${idempotencyKey}'`,
    `--data ${quote(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n  ');
}

/** What is obviously an example where nothing better is known. */
const valueOf = (field: string, to: string): string => (field === 'email' ? to : `Example of ${field}`);

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
