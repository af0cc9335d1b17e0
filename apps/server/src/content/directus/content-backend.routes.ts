import type { ContentBackend } from '@reachout/contract/content-backend.ts';
import { noteEverything } from '../../clients/outbox/note-changes.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { Transaction } from '../../platform/database/database.ts';
import {
  checkDirectus,
  storeChecked,
  toFailingState,
  toState,
  type CheckedDirectus,
} from './check-connection.ts';
import { describeContentBackend, findConnection, sealAccessToken, type DirectusDeps } from './connection.ts';
import { findConnectionRow, saveConnectionRow, updateState } from './connection.queries.ts';
import { createDirectusClient } from './directus-client.ts';
import { DirectusError, orBackendFailed, toDirectusError } from './directus-error.ts';
import { deleteSeenCollections } from './seen-collections.queries.ts';
import { setUpDirectus } from './set-up.ts';
import type { SetUpProgress } from './set-up-progress.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';

/** Settings of the content backend. Requests to Directus run outside transactions; their results are stored in one. */
// oxlint-disable-next-line max-lines-per-function -- a flat list: one operation after the other
export function createContentBackendRoutes(deps: DirectusDeps) {
  const { secrets, outbound } = deps;
  const stored = ({ transaction, organizationId }: OperationContext) =>
    transaction((trx) => findConnection(trx, secrets, organizationId));
  /** The deadline for one API call, however many Directus requests it needs. */
  const soon = () => Date.now() + outbound.totalMs;
  const describe = (trx: Transaction, { organizationId }: OperationContext) =>
    describeContentBackend(trx, secrets, organizationId);

  return {
    get: inTransaction(operations.contentBackend.get, (trx, _input, context) => describe(trx, context)),
    connect: operations.contentBackend.connect.handler(async ({ input, context }) => {
      const { organizationId } = context;
      const endpoint = await orBackendFailed(async () => readEndpoint(outbound, input.endpoint));
      const current = await stored(context);
      // The token of one Directus is never sent to another.
      const known = current?.endpoint === endpoint ? current.accessToken : undefined;
      const accessToken = input.access_token ?? known;
      if (accessToken === undefined) throw invalidInput('access_token', 'Enter the token of this Directus.');
      const client = createDirectusClient(outbound, { organizationId, endpoint, accessToken, until: soon() });
      const checked = await orBackendFailed(() => checkDirectus(client));
      return await context.commit(async (trx) => {
        context.note({ record_name: endpoint });
        await store(trx, organizationId, { endpoint, accessToken }, checked);
        return await describe(trx, context);
      });
    }),
    check: operations.contentBackend.check.handler(async ({ context }): Promise<ContentBackend> => {
      const { organizationId } = context;
      const connection = await stored(context);
      const result =
        connection &&
        (await checkDirectus(createDirectusClient(outbound, { ...connection, until: soon() })).catch(
          keepFailure,
        ));
      return await context.commit(async (trx) => {
        if (connection !== undefined && result !== undefined) {
          const isFailure = result instanceof DirectusError;
          await updateState(
            trx,
            organizationId,
            connection.row,
            isFailure ? toFailingState(result) : toState(result),
          );
          if (!isFailure) await storeChecked(trx, organizationId, result);
        }
        return await describe(trx, context);
      });
    }),
    setUp: operations.contentBackend.setUp.handler(async ({ input, context }) => {
      const { organizationId } = context;
      const until = soon() + outbound.totalMs;
      const progress: SetUpProgress = { created: [], unfinished: [] };
      const { endpoint, accessToken, checked } = await orBackendFailed(async () => {
        const address = readEndpoint(outbound, input.endpoint);
        const current = await stored(context);
        const open = (token: string) =>
          createDirectusClient(outbound, { organizationId, endpoint: address, accessToken: token, until });
        const admin = open(input.admin_token);
        if ((await admin.ping()).trim() !== 'pong')
          throw new DirectusError('malformed', 'The response is not one of Directus.');
        const currentToken =
          current?.endpoint === address
            ? await findTokenUser(open(current.accessToken), current.accessToken)
            : undefined;
        const { collections, can_write } = input;
        const wanted = { organizationId, collections, can_write, currentToken };
        const given = await setUpDirectus(admin, wanted, progress);
        return { endpoint: address, accessToken: given, checked: await checkDirectus(open(given)) };
      }, progress);
      const { created } = progress;
      return await context.commit(async (trx) => {
        context.note({ record_name: endpoint, details: { created: created.length } });
        await store(trx, organizationId, { endpoint, accessToken }, checked);
        return { created, content_backend: await describe(trx, context) };
      });
    }),
    disconnect: inTransaction(operations.contentBackend.disconnect, async (trx, _input, context) => {
      const row = await findConnectionRow(trx, context.organizationId, { forUpdate: true });
      if (row !== undefined) {
        context.note({ record_name: row.endpoint });
        const rest = { access_token: null, state: 'disconnected' } as const;
        await saveConnectionRow(trx, context.organizationId, {
          ...row,
          ...rest,
          failure: null,
          error_content: null,
        });
        // The built-in platform collections were not updated while Directus was connected.
        await noteEverything(trx, context.organizationId);
      }
      return await describe(trx, context);
    }),
  };

  async function store(
    trx: Transaction,
    organizationId: string,
    { endpoint, accessToken }: { endpoint: string; accessToken: string },
    checked: CheckedDirectus,
  ): Promise<void> {
    const before = await findConnectionRow(trx, organizationId, { forUpdate: true });
    const isSame = before?.endpoint === endpoint;
    await saveConnectionRow(trx, organizationId, {
      endpoint,
      access_token: sealAccessToken(secrets, organizationId, accessToken),
      ...toState(checked),
    });
    if (!isSame) await deleteSeenCollections(trx, organizationId);
    await storeChecked(trx, organizationId, checked);
    await noteEverything(trx, organizationId);
  }
}

const keepFailure = (error: unknown): DirectusError => {
  if (error instanceof DirectusError) return error;
  throw error;
};

/** @returns the token with its user; undefined if the token no longer works */
async function findTokenUser(
  client: ReturnType<typeof createDirectusClient>,
  token: string,
): Promise<{ token: string; userId: string } | undefined> {
  try {
    const { id } = await client.me();
    return typeof id === 'string' ? { token, userId: id } : undefined;
  } catch (error) {
    keepFailure(error);
    return undefined;
  }
}

/** Normalizes an endpoint for storage and comparison: no trailing slash. @throws DirectusError */
function readEndpoint(outbound: OutboundClient, text: string): string {
  try {
    outbound.checkAddress(text);
  } catch (error) {
    throw toDirectusError(error, []);
  }
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}
