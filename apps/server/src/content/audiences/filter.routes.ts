import type { Filter } from '@reachout/contract/filters.ts';
import { maxNameLength } from '@reachout/contract/rules/lengths.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import { apiError } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { numberedNames } from '../../platform/numbered-names.ts';
import { describeAudience } from './count-audience.ts';
import { checkAudience, checkBrand, createFilter, nameTaken } from './create-filter.ts';
import {
  deleteFilter,
  getFilter,
  insertFilter,
  isFilterUsed,
  listFilters,
  lockFilter,
  updateFilter,
  type FilterColumns,
} from './filter.queries.ts';

/** What is told of an audience beside its numbers. */
const countLimits = { sample: 10, brands: 10 };

export interface FilterUsers {
  /** Takes a filter away from emails that are deleted: those that come back choose another. */
  releaseFilter: (trx: Transaction, id: string) => Promise<void>;
}

export const createFilterRoutes = ({ releaseFilter }: FilterUsers) => ({
  list: inTransaction(operations.filters.list, (trx, input) => listFilters(trx, input)),
  create: inTransaction(operations.filters.create, async (trx, input, context) => {
    const id = await createFilter(trx, context.organizationId, input);
    return await getFilter(trx, id);
  }),
  get: inTransaction(operations.filters.get, (trx, input) => getFilter(trx, input.id)),
  update: inTransaction(operations.filters.update, async (trx, { id, ...changes }, context) => {
    const current = await lockFilter(trx, id);
    const next = { ...current, ...definedOf(changes) };
    if (next.brand_id !== current.brand_id) await checkBrand(trx, next.brand_id);
    // One whose rule no longer fits the fields can still be renamed, or switched off.
    if (changes.rule !== undefined || changes.field_mapping !== undefined) {
      await checkAudience(trx, context.organizationId, { ...next, brandId: next.brand_id });
    }
    if (!(await updateFilter(trx, id, definedOf(changes)))) throw nameTaken();
    return await getFilter(trx, id);
  }),
  duplicate: inTransaction(operations.filters.duplicate, async (trx, input) => {
    const original = await getFilter(trx, input.id);
    for (const name of numberedNames(input.name, maxNameLength)) {
      const id = newId();
      if (await insertFilter(trx, { ...definitionOf(original), id, name })) return await getFilter(trx, id);
    }
    throw nameTaken();
  }),
  delete: inTransaction(operations.filters.delete, async (trx, input, context) => {
    const { name } = await lockFilter(trx, input.id);
    if (await isFilterUsed(trx, input.id)) throw apiError('filter_in_use');
    await releaseFilter(trx, input.id);
    if (!(await deleteFilter(trx, input.id))) throw apiError('filter_in_use');
    context.note({ record_name: name });
    return { id: input.id };
  }),
  count: inTransaction(operations.filters.count, async (trx, input, context) => {
    await checkBrand(trx, input.brand_id);
    const { organizationId } = context;
    const audience = await checkAudience(trx, organizationId, { ...input, brandId: input.brand_id });
    return await describeAudience(trx, organizationId, audience, countLimits);
  }),
});

/** What a copy has of its original: it selects the same contacts, and is as active. */
const definitionOf = ({
  organization_id,
  brand_id,
  is_active,
  collection,
  rule,
  field_mapping,
}: Filter): Omit<FilterColumns, 'name'> & { organization_id: string } => ({
  organization_id,
  brand_id,
  is_active,
  collection,
  rule,
  field_mapping,
});

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The given changes, without undefined keys. */
const definedOf = <T extends object>(changes: T): Defined<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Defined<T>;
