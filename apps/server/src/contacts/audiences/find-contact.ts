import { ORPCError } from '@orpc/contract';
import type { Transaction } from '../../platform/database/database.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { findEndpoint } from '../../content/directus/connection.queries.ts';
import type { Audience } from './audience.ts';
import { sampleAudience } from './count-audience.ts';
import { sampleRemote } from './count-remote.ts';
import { openContacts, type BackendAccess } from '../../content/gateway/contact-collection.ts';
import { findContactItem } from './find-audience.queries.ts';
import { toStorableItem } from '../../content/backend/storable-item.ts';

export interface FoundContact {
  id: string;
  address: string;
  data: Record<string, unknown>;
}

/**
 * Finds a contact for a message preview: the given one, or the first that would receive it. Must run outside transactions,
 * because the contacts may be remote.
 * @param from  the audience, or the contact collection until an audience is chosen
 * @throws 424 `backend_failed`
 */
export async function findContact(
  access: BackendAccess,
  from: Audience | string,
  contactId: string | undefined,
): Promise<FoundContact | undefined> {
  const { organizationId, run } = access;
  const audience = typeof from === 'object' ? from : undefined;
  const collection = typeof from === 'object' ? from.collection : from;
  const emailField = audience?.field_mapping.email ?? 'email';
  const endpoint =
    audience === undefined ? await run((trx) => findEndpoint(trx, organizationId)) : audience.endpoint;
  if (contactId !== undefined) {
    const data =
      endpoint === null
        ? await run((trx) => findContactItem(trx, organizationId, collection, contactId))
        : await findItem(access, { endpoint, collection, key: contactId });
    const email = data?.[emailField];
    return data && { id: contactId, address: typeof email === 'string' ? email : '', data };
  }
  if (audience === undefined) return undefined;
  const [first] =
    endpoint === null
      ? await run((trx) => sampleAudience(trx, organizationId, audience, 1))
      : await sampleRemote(access, audience, 1);
  return first && { id: first.id, address: first.email, data: first.data };
}

async function findItem(
  { deps, organizationId, run }: BackendAccess,
  { endpoint, collection, key }: { endpoint: string; collection: string; key: string },
): Promise<Record<string, unknown> | undefined> {
  const backend = await openContacts(deps, organizationId, endpoint, run, { isAwaited: true });
  try {
    const item = await backend.getItem(collection, key);
    return toStorableItem(
      item,
      Object.keys(item).filter((name) => name !== 'id'),
    );
  } catch (error) {
    if (error instanceof ORPCError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Backend access for an operation, which uses the operation's transactions. */
export const backendAccessOf = (
  deps: DirectusDeps,
  { organizationId, transaction }: { organizationId: string; transaction: BackendAccess['run'] },
): BackendAccess => ({
  deps,
  organizationId,
  run: <T>(work: (trx: Transaction) => Promise<T>) => transaction(work),
});
