/**
 * Part of a statement: the addresses, of those given in lower case, whose contact is unsubscribed. Looks in the collection
 * that every organization starts with, whose addresses are unique, unless it belongs to one client by now: then opt-outs are
 * suppressions of its brands alone. $1 is the organization. The contact is looked up and not
 * joined: a join that was planned while there were few contacts would read all of them later.
 * @param addresses  SQL, an array
 */
export const unsubscribedAmong = (addresses: string): string => `
  select v.value as address_key from content_unique_values v
  where v.organization_id = $1 and v.collection = 'contacts' and v.field = 'email' and v.value = any(${addresses})
    and (select i.data ->> 'unsubscribed' from content_items i
      where i.organization_id = $1 and i.collection = 'contacts' and i.id = v.item_id limit 1) = 'true'
    and exists (select from content_collections c
      where c.organization_id = $1 and c.collection = 'contacts' and c.client_id is null)`;
