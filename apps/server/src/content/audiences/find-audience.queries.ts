import type { FieldMapping } from '@reachout/contract/filters.ts';
import type { AudienceField } from './audience.ts';
import type { Transaction } from '../../platform/database/database.ts';

export interface FilterDefinition {
  name: string;
  is_active: boolean;
  collection: string;
  rule: unknown;
  field_mapping: FieldMapping;
}

/** @returns undefined also for one whose brand is deleted */
export const findFilterDefinition = (trx: Transaction, id: string): Promise<FilterDefinition | undefined> =>
  trx
    .selectFrom('filters')
    .select(['name', 'is_active', 'collection', 'rule', 'field_mapping'])
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('brand_id', 'is', null),
        eb('brand_id', 'in', eb.selectFrom('current_brands').select('current_brands.id')),
      ]),
    )
    .$castTo<FilterDefinition>()
    .executeTakeFirst();

export const listRuleFields = (
  trx: Transaction,
  organizationId: string,
  collection: string,
): Promise<AudienceField[]> =>
  trx
    .selectFrom('content_fields')
    .select(['field as name', 'type', 'is_unique as unique'])
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .$castTo<AudienceField>()
    .execute();

export async function findContactItem(
  trx: Transaction,
  organizationId: string,
  collection: string,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const item = await trx
    .selectFrom('content_items')
    .select('data')
    .where('organization_id', '=', organizationId)
    .where('collection', '=', collection)
    .where('id', '=', id)
    .executeTakeFirst();
  return item?.data as Record<string, unknown> | undefined;
}
