import type { SuppressedState, SuppressionReason } from '@reachout/contract/statuses.ts';
import { rowsOf, type Row, type Transaction } from '../../platform/database/database.ts';

export type NamedBrand = Row<'current_brands', 'id' | 'name' | 'client_name'>;

/** Lists the brands that may write to the contacts of a collection: those of its owner, or all. By client and name. */
export const listBrandNames = (
  trx: Transaction,
  { organizationId, collection, limit }: { organizationId: string; collection: string; limit: number },
) => rowsOf<NamedBrand>(trx)`
  select b.id, b.name, b.client_name
  from current_brands b
  left join content_collections c on c.organization_id = b.organization_id and c.collection = ${collection}
  where b.organization_id = ${organizationId} and (c.client_id is null or c.client_id = b.client_id)
    and (c.brand_id is null or c.brand_id = b.id)
  order by lower(b.client_name), lower(b.name), b.id
  limit ${limit}
`;

export interface AddressSuppression {
  address_key: string;
  brand_id: string | null;
  state: SuppressedState;
  /** Of a suppression; null for a pause. */
  reason: SuppressionReason | null;
  has_send: boolean;
  is_imported: boolean;
  at: string;
}

/** With the pauses of brands. Those for all brands come first. */
export const listSuppressionsOfAddresses = (
  trx: Transaction,
  organizationId: string,
  addressKeys: readonly string[],
) => rowsOf<AddressSuppression>(trx)`
  select * from (
    select address_key, brand_id, subscription_state(value, brand_id, topic_id, until, brand_id, null) as state,
      case when kind = 'suppression' then value end as reason, coalesce(source <> 'member', send_id is not null) as has_send,
      import_id is not null as is_imported, coalesce(occurred_at, changed_at) as at
    from choices
    where organization_id = ${organizationId} and address_key = any(${addressKeys}::text[]) and kind in ('suppression', 'pause')
  ) choice
  where state is not null
  order by brand_id nulls first
`;
