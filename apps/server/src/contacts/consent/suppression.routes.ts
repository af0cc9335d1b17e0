import { accessScopeOf } from '@reachout/contract/abilities.ts';
import type { SuppressionReason } from '@reachout/contract/statuses.ts';
import { inTransaction, operations } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { forbidden, invalidInput } from '../../platform/http/api-error.ts';
import { liftSuppressionsOf } from './lift-suppressions.ts';
import { enterChoices, type NewChoice } from './choices.queries.ts';
import { findBrandName } from './subscription.queries.ts';
import { addressKeyOf, toListed } from './subscription.ts';
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

interface Import {
  organizationId: string;
  /** Null for all brands. */
  brandId: string | null;
  userId: string;
  note: string;
  items: readonly { address: string; reason?: string | undefined; at?: string | undefined }[];
}

/** Of each address the first entry counts. Repeating an import changes nothing. */
export async function importSuppressions(
  trx: Transaction,
  { organizationId, brandId, userId, note, items }: Import,
): Promise<{ added_count: number; known_count: number; rejected: number[] }> {
  const rejected: number[] = [];
  const byAddress = new Map<string, NewChoice>();
  for (const [index, { address, reason, at }] of items.entries()) {
    const addressKey = addressKeyOf(withoutEscape(address));
    if (addressKey === undefined) rejected.push(index);
    else if (!byAddress.has(addressKey))
      byAddress.set(addressKey, {
        address_key: addressKey,
        brand_id: brandId,
        kind: 'suppression',
        value: readReason(reason),
        created_by: userId,
        note: note || null,
        occurred_at: readTime(at),
      });
  }
  const added = await enterChoices(trx, organizationId, [...byAddress.values()]);
  return { added_count: added, known_count: items.length - rejected.length - added, rejected };
}

/** Exports put an apostrophe before what spreadsheets would run as a formula. */
const withoutEscape = (text: string): string => text.trim().replace(/^'(?=[=+\-@])/, '');

/** Words of other programs, in lower case and with letters alone. */
const wordsOf: Record<Exclude<SuppressionReason, 'unsubscribe'>, readonly string[]> = {
  bounce: [
    'bounce',
    'bounced',
    'hardbounce',
    'hardbounced',
    'softbounce',
    'softbounced',
    'cleaned',
    'invalid',
  ],
  complaint: ['complaint', 'complained', 'spam', 'spamcomplaint', 'spamreport', 'abuse', 'beschwerde'],
  manual: ['manual', 'manually', 'blocked', 'blacklisted', 'blocklisted', 'gesperrt'],
};

/** What is not known to be anything else is an opt-out: these are never lifted together. */
function readReason(text = ''): SuppressionReason {
  const word = text.toLowerCase().replaceAll(/[^a-zäöüß]/g, '');
  const known = Object.entries(wordsOf).find(([, words]) => words.includes(word));
  return (known?.[0] as SuppressionReason | undefined) ?? 'unsubscribe';
}

/** @returns null for a text that is no time with a zone or date, and for a time to come */
function readTime(text = ''): string | null {
  const isTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/.test(
    text.trim(),
  );
  const time = new Date(text.trim());
  return isTime && !Number.isNaN(time.getTime()) && time.getTime() < Date.now() && time.getFullYear() > 1970
    ? time.toISOString()
    : null;
}
