/** Fields that say who or what an item is come first, the rest by name, and last when it was added. */
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

/** Of contacts, what a list shows at first. */
export const firstFields = ['email', 'Subscription', 'first_name', 'last_name', 'company', 'date_created'];

function rank(field: string): number {
  if (trailing.includes(field)) return leading.length + 2;
  return leading.indexOf(field) + 1 || leading.length + 1;
}

/** In the order that people gave them; those without a place come behind, by what they say. */
export const byPlace = (one: PlacedField, other: PlacedField): number =>
  (one.sort ?? Infinity) - (other.sort ?? Infinity) || byImportance(one, other);

interface PlacedField {
  field: string;
  sort: number | null;
}

export const byImportance = (one: { field: string }, other: { field: string }): number =>
  rank(one.field) - rank(other.field) || one.field.localeCompare(other.field);
