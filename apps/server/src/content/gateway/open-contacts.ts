import type { Transaction } from '../../platform/database/database.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import type { DirectusBackend } from '../directus/directus-backend.ts';
import { changedBackend } from '../directus/to-problem.ts';
import { openBackend } from './with-content.ts';

/** Dependencies for requests to a remote content backend. */
export interface BackendAccess {
  deps: DirectusDeps;
  organizationId: string;
  /** Opens a short transaction of this organization. */
  run: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
}

/**
 * Opens the remote content backend of an audience.
 * @param run  opens a short transaction of this organization
 * @param isAwaited  whether a user is waiting for the response
 * @throws 424 `backend_failed` if another backend, or none, is connected by now
 */
export async function openContacts(
  deps: DirectusDeps,
  organizationId: string,
  endpoint: string,
  run: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>,
  { isAwaited }: { isAwaited: boolean },
): Promise<DirectusBackend> {
  const open = await openBackend(deps, { organizationId, userId: null }, run, {
    isAwaited,
    // The rule was validated when it was stored. Who uses it may see less than its author.
    relatedOf: 'organization',
  });
  if (open.kind === 'directus' && open.endpoint === endpoint) return open.backend;
  throw changedBackend();
}
