import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { InvalidRule } from '../backend/filter-rule.ts';
import { parseAudience, type Audience, type AudienceInput } from './audience.ts';
import { listRuleFields } from './find-audience.queries.ts';
import { brandExists, insertFilter, type FilterColumns } from './filter.queries.ts';

/** @returns its id. @throws 409 `name_taken`; 422 `invalid_rule`, `invalid_input` for a brand that does not exist here */
export async function createFilter(
  trx: Transaction,
  organizationId: string,
  filter: Omit<FilterColumns, 'is_active'> & { is_active?: boolean },
): Promise<string> {
  await checkBrand(trx, filter.brand_id);
  await checkAudience(trx, organizationId, { ...filter, brandId: filter.brand_id });
  const id = newId();
  if (!(await insertFilter(trx, { ...filter, id, organization_id: organizationId }))) throw nameTaken();
  return id;
}

export const nameTaken = () => apiError('name_taken');

/** @throws 422 `invalid_rule`, with the place in the rule and the reason */
export async function checkAudience(
  trx: Transaction,
  organizationId: string,
  { collection, rule, field_mapping, brandId }: AudienceInput,
): Promise<Audience> {
  try {
    const fields = await listRuleFields(trx, organizationId, collection);
    return parseAudience({ collection, rule, field_mapping, brandId }, fields);
  } catch (error) {
    if (!(error instanceof InvalidRule)) throw error;
    const { path, reason, isTooHeavy } = error;
    throw apiError(
      'invalid_rule',
      { path, reason, ...(isTooHeavy ? { is_too_heavy: true } : {}) },
      error.message,
    );
  }
}

/** @throws 422 for a brand that does not exist here */
export async function checkBrand(trx: Transaction, brandId: string | null): Promise<void> {
  if (brandId !== null && !(await brandExists(trx, brandId)))
    throw invalidInput('brand_id', 'There is no such brand.');
}
