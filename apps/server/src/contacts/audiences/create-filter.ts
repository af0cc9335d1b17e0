import { ORPCError } from '@orpc/contract';
import { isUsableFor, type Owner } from '@reachout/contract/rules/owners.ts';
import { apiError, invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { InvalidRule } from '../../content/backend/invalid-rule.ts';
import { findCollection } from '../../content/built-in/collections.queries.ts';
import { resolveOwner } from '../../content/owners/owners.ts';
import { parseAudience, type Audience, type AudienceInput } from './audience.ts';
import { checkRule } from '../../content/directus/directus-rule.ts';
import { findEndpoint } from '../../content/directus/connection.queries.ts';
import { findContactCollection, findRelate } from '../../content/gateway/contact-collection.ts';
import { findOwnContacts } from './find-audience.queries.ts';
import { insertFilter, type FilterColumns } from './filter.queries.ts';

/**
 * @param filter  without `client_id` if it belongs to a brand or is shared
 * @returns the id of the filter
 * @throws 409 `name_taken`; 422 `invalid_rule`; 422 `invalid_input` for an owner that does not exist here, or for
 *   contacts of another owner
 */
export async function createFilter(
  trx: Transaction,
  organizationId: string,
  filter: Omit<FilterColumns, 'is_active' | 'client_id'> & { client_id?: string | null; is_active?: boolean },
): Promise<string> {
  const owner = await resolveOwner(trx, filter);
  const { collection } = filter;
  // The lock prevents a concurrent deletion of the collection.
  await findCollection(trx, organizationId, collection, { lock: 'keyShare' });
  await denyForeignContacts(trx, organizationId, { collection, owner, path: 'collection' });
  await checkAudience(trx, organizationId, { ...filter, brandId: owner.brand_id });
  const id = newId();
  const row = { ...filter, ...owner, id, organization_id: organizationId };
  if (!(await insertFilter(trx, row))) throw nameTaken();
  return id;
}

/**
 * Resolves the collection given in an input. Without one, it is that of the owner's own contacts.
 * @throws 422 on `collection` for an owner without contacts of its own; 422 on the owner
 */
export async function resolveCollection(
  trx: Transaction,
  organizationId: string,
  {
    collection,
    ...input
  }: { collection?: string | undefined; client_id?: string | null; brand_id?: string | null },
): Promise<string> {
  if (collection !== undefined) return collection;
  const owner = await resolveOwner(trx, input);
  const own = await findOwnContacts(
    trx,
    { organizationId, endpoint: await findEndpoint(trx, organizationId) },
    owner,
  );
  if (own === undefined)
    throw invalidInput(
      'collection',
      owner.client_id === null
        ? 'Name the collection: there are no contacts that all clients share.'
        : 'Name the collection: this client has no contacts of its own.',
    );
  return own;
}

export const nameTaken = () => apiError('name_taken');

/** @throws 422 `invalid_rule`, with the path in the rule and the reason */
export async function checkAudience(
  trx: Transaction,
  organizationId: string,
  { collection, rule, field_mapping, brandId }: AudienceInput,
): Promise<Audience> {
  try {
    const found = await findContactCollection(trx, organizationId, collection);
    if (found === undefined) throw new InvalidRule('collection', 'There is no such collection.');
    const { endpoint, fields } = found;
    const relate = await findRelate(trx, organizationId, { endpoint, collection, rule }, 'caller');
    const audience = parseAudience({ endpoint, collection, rule, field_mapping, brandId }, fields, relate);
    if (endpoint !== null) requireDirectusRule(rule);
    return audience;
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

/** Rejects rules that only the built-in backend accepts and that are not sent to a Directus. @throws InvalidRule */
function requireDirectusRule(rule: unknown): void {
  try {
    checkRule(rule);
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error;
    throw new InvalidRule('rule', (error.data as { reason: string }).reason);
  }
}

/** Prevents contacts of one client from being in an audience of another client. @throws 422 on `path` */
export async function denyForeignContacts(
  trx: Transaction,
  organizationId: string,
  { collection, owner, path }: { collection: string; owner: Owner; path: string },
): Promise<void> {
  const row = await findContactCollection(trx, organizationId, collection);
  // A missing collection is reported by the validation of the rule.
  if (row === undefined || isUsableFor(row, owner)) return;
  throw invalidInput(path, 'The contacts of this collection belong to another client or brand.');
}
