import { accessScopeOf } from '@reachout/contract/abilities.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import { forbidden, invalidInput } from '../../platform/http/api-error.ts';
import { importSuppressions } from './import-suppressions.ts';
import { liftSuppressionsOf } from './lift-suppressions.ts';
import { findBrandName } from './subscription.queries.ts';
import { toListed } from './subscription.ts';
import { listLifts } from './suppression-lift.queries.ts';
import { countSuppressions, listSuppressionPage } from './suppression-list.queries.ts';

/** The latest lifts that screens show. */
const shownLifts = 20;

export const suppressionRoutes = {
  list: inTransaction(operations.suppressions.list, async (trx, input) => {
    const items = await listSuppressionPage(trx, input);
    return { items: items.map(toListed), ...(await countSuppressions(trx, input)) };
  }),
  lift: inTransaction(operations.suppressions.lift, async (trx, input, context) => {
    const { organization_id: organizationId, expected_count, basis, ...criteria } = input;
    const { userId } = context;
    const { from: since, to: until, ...others } = criteria;
    const lift = await liftSuppressionsOf(trx, {
      organizationId,
      userId,
      basis,
      expectedCount: expected_count,
      criteria,
    });
    // The basis is left out, because it may name people, and entries outlive them.
    context.note({ record_id: lift.id, details: { ...others, since, until, count: lift.total_count } });
    return lift;
  }),
  lifts: inTransaction(operations.suppressions.lifts, async (trx) => ({
    items: await listLifts(trx, { limit: shownLifts }),
  })),
  import: inTransaction(operations.suppressions.import, async (trx, input, context) => {
    const { organization_id: organizationId, brand_id: brandId, note, items } = input;
    const { rules, userId } = context;
    const isOfAll = (['read', 'create'] as const).every(
      (action) => accessScopeOf(rules, action, 'Consent', organizationId) === 'all',
    );
    if (brandId === null && !isOfAll) throw forbidden('create', 'Consent');
    const brand = brandId === null ? null : await findBrandName(trx, brandId);
    if (brand === undefined) throw invalidInput('brand_id', 'There is no such brand.');
    const sums = await importSuppressions(trx, { organizationId, brandId, userId, note, items });
    context.note({
      record_id: organizationId,
      details: {
        ...(brand === null ? { all_brands: true } : { brand }),
        added_count: sums.added_count,
        known_count: sums.known_count,
        rejected_count: sums.rejected.length,
      },
    });
    return sums;
  }),
};
