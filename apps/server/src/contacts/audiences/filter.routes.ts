import type { Filter, ListedFilter } from '@reachout/contract/filters.ts';
import { maxNameLength } from '@reachout/contract/rules/lengths.ts';
import { scopeOf, type FigureReader } from '../../clients/figures/figures.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import { apiError } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { numberedNames } from '../../platform/numbered-names.ts';
import { denyOwnerInUse, resolveOwner, resolveOwnerChange, withOwners } from '../../content/owners/owners.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { describeAudience } from './count-audience.ts';
import { describeRemote } from './count-remote.ts';
import { backendAccessOf } from './find-contact.ts';
import {
  checkAudience,
  createFilter,
  denyForeignContacts,
  nameTaken,
  resolveCollection,
} from './create-filter.ts';
import {
  countFilterUses,
  deleteFilter,
  getFilter,
  insertFilter,
  isFilterUsed,
  listFilters,
  lockFilter,
  updateFilter,
  type FilterColumns,
  type FilterRow,
} from './filter.queries.ts';

/** Maximum sample contacts and brands in the response to a count. */
const countLimits = { sample: 10, brands: 10 };

export interface FilterUsers {
  /** Removes a filter from deleted emails: a restored email must choose another. */
  releaseFilter: (trx: Transaction, id: string) => Promise<void>;
}

export const createFilterRoutes = ({ releaseFilter }: FilterUsers, deps: DirectusDeps) => ({
  list: inTransaction(operations.filters.list, async (trx, input, context) => {
    const { items, count } = await listFilters(trx, input);
    return { items: await withUses(trx, context, await describeFilters(trx, items)), count };
  }),
  create: inTransaction(operations.filters.create, async (trx, input, context) =>
    describeFilter(
      trx,
      await createFilter(trx, context.organizationId, {
        ...input,
        collection: await resolveCollection(trx, context.organizationId, input),
      }),
    ),
  ),
  get: inTransaction(operations.filters.get, (trx, input) => describeFilter(trx, input.id)),
  update: inTransaction(operations.filters.update, async (trx, { id, ...changes }, context) => {
    const current = await lockFilter(trx, id);
    const { client_id, brand_id, ...content } = changes;
    const owner = await resolveOwnerChange(trx, current, { client_id, brand_id });
    if (owner !== undefined) {
      const { collection } = current;
      await denyForeignContacts(trx, context.organizationId, { collection, owner, path: 'client_id' });
      await denyOwnerInUse(trx, { kind: 'audience', key: id }, owner);
    }
    const next = { ...current, ...definedOf(content), ...owner };
    // A filter whose rule no longer fits the fields can still be renamed or deactivated.
    if (changes.rule !== undefined || changes.field_mapping !== undefined) {
      await checkAudience(trx, context.organizationId, { ...next, brandId: next.brand_id });
    }
    if (!(await updateFilter(trx, id, { ...definedOf(content), ...owner }))) throw nameTaken();
    return await describeFilter(trx, id);
  }),
  duplicate: inTransaction(operations.filters.duplicate, async (trx, input) => {
    const original = await getFilter(trx, input.id);
    for (const name of numberedNames(input.name, maxNameLength)) {
      const id = newId();
      if (await insertFilter(trx, { ...definitionOf(original), id, name }))
        return await describeFilter(trx, id);
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
  count: operations.filters.count.handler(async ({ input, context }) => {
    const { organizationId } = context;
    const found = await context.transaction(async (trx) => {
      const owner = await resolveOwner(trx, input);
      const collection = await resolveCollection(trx, organizationId, input);
      await denyForeignContacts(trx, organizationId, { collection, owner, path: 'collection' });
      const audience = await checkAudience(trx, organizationId, {
        ...input,
        collection,
        brandId: owner.brand_id,
      });
      if (audience.endpoint !== null) return { audience };
      return { count: await describeAudience(trx, organizationId, audience, countLimits) };
    });
    if (found.audience === undefined) return { ...found.count, reading: null };
    return await describeRemote(
      backendAccessOf(deps, context),
      found.audience,
      countLimits,
      input.read_contacts,
    );
  }),
});

/** The columns that a copy takes from its original: it selects the same contacts and has the same active state. */
const definitionOf = ({
  id: _id,
  name: _name,
  created_at: _created,
  updated_at: _updated,
  ...definition
}: FilterRow): Omit<FilterColumns, 'name'> & { organization_id: string } => definition;

const describeFilter = async (trx: Transaction, id: string): Promise<Filter> =>
  (await describeFilters(trx, [await getFilter(trx, id)]))[0]!;

const describeFilters = async (trx: Transaction, rows: readonly FilterRow[]): Promise<Filter[]> =>
  (await withOwners(trx, rows)).map((row) => ({ ...row, brands: row.brand === null ? [] : [row.brand] }));

async function withUses(
  trx: Transaction,
  reader: FigureReader,
  filters: readonly Filter[],
): Promise<ListedFilter[]> {
  const scope = scopeOf(reader, 'Touchpoint');
  const ids = filters.map(({ id }) => id);
  const counts =
    scope === 'nothing' ? undefined : await countFilterUses(trx, reader.organizationId, ids, scope);
  return filters.map((filter) => ({ ...filter, used_count: counts?.get(filter.id) ?? null }));
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The given changes, without undefined keys. */
const definedOf = <T extends object>(changes: T): Defined<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Defined<T>;
