/**
 * Part of a statement: the addresses, of those given in lower case, whose contact is unsubscribed. Looks in the collection that
 * every organization starts with, whose addresses are unique. $1 is the organization. A look-up and no join: planned while there
 * are few contacts, a join would walk all of them later.
 * @param addresses  SQL, an array
 */
export const unsubscribedAmong = (addresses: string): string => `
  select v.value as address_key from content_unique_values v
  where v.organization_id = $1 and v.collection = 'contacts' and v.field = 'email' and v.value = any(${addresses})
    and (select i.data ->> 'unsubscribed' from content_items i
      where i.organization_id = $1 and i.collection = 'contacts' and i.id = v.item_id limit 1) = 'true'`;
