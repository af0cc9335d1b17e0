/**
 * SQL that selects those of the given lower-case addresses whose contact is unsubscribed. Searches the collection that every
 * organization starts with, whose addresses are unique, unless it belongs to one client by now: its opt-outs are then
 * suppressions of that client's brands only. $1 is the organization. Looks up the contact instead of joining it: a join that
 * was planned for few contacts would later read all of them.
 * @param addresses  SQL array expression
 */
export const unsubscribedAmong = (addresses: string): string => `
  select v.value as address_key from content_unique_values v
  where v.organization_id = $1 and v.collection = 'contacts' and v.field = 'email' and v.value = any(${addresses})
    and (select i.data ->> 'unsubscribed' from content_items i
      where i.organization_id = $1 and i.collection = 'contacts' and i.id = v.item_id limit 1) = 'true'
    and exists (select from content_collections c
      where c.organization_id = $1 and c.collection = 'contacts' and c.client_id is null)`;
