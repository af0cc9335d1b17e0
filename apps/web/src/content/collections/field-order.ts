/** Default order: fields that identify an item come first, the others by name, and timestamps last. */
const leading = [
  'email',
  'title',
  'name',
  'first_name',
  'last_name',
  'company',
  'country',
  'city',
  'language',
  'tags',
  'subject',
  'teaser',
];
const trailing = ['date_created'];

/** Columns that a list of contacts shows by default. */
export const firstFields = ['email', 'Subscription', 'first_name', 'last_name', 'company', 'date_created'];

function rank(field: string): number {
  if (trailing.includes(field)) return leading.length + 2;
  return leading.indexOf(field) + 1 || leading.length + 1;
}

/** Sorts by the position that users have set; fields without one come last, in the default order. */
export const byPlace = (one: PlacedField, other: PlacedField): number =>
  (one.sort ?? Infinity) - (other.sort ?? Infinity) || byImportance(one, other);

interface PlacedField {
  field: string;
  sort: number | null;
}

export const byImportance = (one: { field: string }, other: { field: string }): number =>
  rank(one.field) - rank(other.field) || one.field.localeCompare(other.field);
