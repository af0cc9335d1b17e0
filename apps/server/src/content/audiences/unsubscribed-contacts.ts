/**
 * Part of a statement: the addresses, of those given in lower case, whose contact is unsubscribed. Looks in the collection that
 * every organization starts with, whose addresses are unique. $1 is the organization.
 * @param addresses  SQL, an array
 */
export const unsubscribedAmong = (addresses: string): string => `
  select v.value as address_key from content_unique_values v
  join content_items i on i.organization_id = v.organization_id and i.collection = v.collection and i.id = v.item_id
  where v.organization_id = $1 and v.collection = 'contacts' and v.field = 'email' and v.value = any(${addresses})
    and i.data ->> 'unsubscribed' = 'true'`;
