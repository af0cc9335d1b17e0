/** Fields that say who or what an item is come first, the rest by name. */
const leading = ['email', 'title', 'name', 'first_name', 'last_name', 'company', 'country', 'city'];

const rank = (field: string) => leading.indexOf(field) + 1 || leading.length + 1;

export const byImportance = (one: { field: string }, other: { field: string }): number =>
  rank(one.field) - rank(other.field) || one.field.localeCompare(other.field);
