/**
 * What becomes of a value that comes from a person or a file and cannot be read: the one decision about each kind of value.
 * docs/consent.md, “Values that cannot be read”
 */
export const decisions = [
  /** It is as if it were missing: the rest counts. Only where a missing value makes nobody mailable and nothing measured. */
  'left_out',
  /** The row, item or form that it belongs to is not taken, and its sender hears why. */
  'rejected',
  /** It is taken as the value with which less is sent and measured. */
  'careful',
] as const;
export type Decision = (typeof decisions)[number];

export const valueKinds = [
  'import_key',
  'import_required',
  'import_opt_out',
  'import_consent',
  'import_audience',
  'import_other',
  'sign_up_field',
  'sign_up_tracking',
  'item_unknown_field',
] as const;
export type ValueKind = (typeof valueKinds)[number];

export const unreadableValues: Readonly<Record<ValueKind, Decision>> = {
  import_key: 'rejected',
  import_required: 'rejected',
  /** A field that excludes contacts from mail. Users can choose another decision for `unsubscribed`. */
  import_opt_out: 'rejected',
  /** A field that says whether opens and clicks are measured, or whose name is about consents. */
  import_consent: 'rejected',
  /** A field by which an audience selects: without the value, another audience would get the mail. */
  import_audience: 'rejected',
  import_other: 'left_out',
  sign_up_field: 'rejected',
  sign_up_tracking: 'careful',
  /** A value of a contact whose name is about consents, and which no field has. Other unknown names are left out, as in a Directus. */
  item_unknown_field: 'rejected',
};

/** @param careful  the value with which less is sent and measured */
export function takeUnreadable<T>(kind: ValueKind, careful: T): { value: T } | Exclude<Decision, 'careful'> {
  const decision = unreadableValues[kind];
  return decision === 'careful' ? { value: careful } : decision;
}
