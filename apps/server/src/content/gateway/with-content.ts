import type { AnySchema, ErrorMap, InferSchemaInput, InferSchemaOutput } from '@orpc/contract';
import type { Operation, OperationContext } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import { findConnection, openClient, type DirectusDeps } from '../directus/connection.ts';
import { createDirectusBackend, type DirectusBackend } from '../directus/directus-backend.ts';

/**
 * The backend whose items people of an organization see. The built-in one works inside a transaction. A Directus is asked over the
 * network, so outside of any.
 */
export type OpenBackend =
  | { kind: 'built_in'; within: (trx: Transaction) => ContentBackend }
  | { kind: 'directus'; endpoint: string; backend: DirectusBackend };

type Run = <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;

/**
 * @param run  opens a short transaction of this organization, within the access scope of who asks
 * @param isAwaited  whether somebody waits for the response: all requests to a Directus then share the time of one
 */
export async function openBackend(
  { secrets, outbound }: DirectusDeps,
  owner: { organizationId: string; userId: string | null },
  run: Run,
  { isAwaited = false }: { isAwaited?: boolean } = {},
): Promise<OpenBackend> {
  const { organizationId } = owner;
  const connection = await run((trx) => findConnection(trx, secrets, organizationId));
  if (connection === undefined) {
    return { kind: 'built_in', within: (trx) => createBuiltInBackend(trx, owner) };
  }
  const until = isAwaited ? Date.now() + outbound.totalMs : undefined;
  const client = openClient({ outbound }, connection, run, { until });
  const { endpoint } = connection;
  return { kind: 'directus', endpoint, backend: createDirectusBackend(client, organizationId, run) };
}

const within =
  (trx: Transaction): Run =>
  (work) =>
    work(trx);

interface ContentWork<I extends AnySchema, O extends AnySchema> {
  /** Reads or changes items. */
  work: (
    backend: ContentBackend,
    input: InferSchemaOutput<I>,
    context: OperationContext,
    /** For what the platform itself knows: within the transaction of the built-in backend, or a new one. */
    run: Run,
  ) => Promise<InferSchemaInput<O>>;
  /** What the platform itself changes along, once the items are changed. */
  after?: (
    trx: Transaction,
    input: InferSchemaOutput<I>,
    output: InferSchemaInput<O>,
    context: OperationContext,
  ) => Promise<void>;
  /** What the built-in backend has outside of the database, once the change is committed. */
  afterCommit?: (input: InferSchemaOutput<I>, context: OperationContext) => Promise<void>;
}

/** Implements an operation that only reads. */
export const readContent = <I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  deps: DirectusDeps,
  operation: Operation<I, O, E>,
  work: ContentWork<I, O>['work'],
) =>
  operation.handler(async ({ input, context }) => {
    const open = await openBackend(deps, context, context.transaction, { isAwaited: true });
    return open.kind === 'directus'
      ? await work(open.backend, input, context, context.transaction)
      : await context.transaction((trx) => work(open.within(trx), input, context, within(trx)));
  });

/**
 * Implements an operation that changes items; it declares `manualTransaction`. In the built-in backend that is one transaction with its
 * audit entry and idempotency key. A Directus is changed first, and then both are written.
 */
export const changeContent = <I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  deps: DirectusDeps,
  operation: Operation<I, O, E>,
  { work, after, afterCommit }: ContentWork<I, O>,
) =>
  operation.handler(async ({ input, context }) => {
    const open = await openBackend(deps, context, context.transaction, { isAwaited: true });
    const earlier = open.kind === 'directus' ? await context.findEarlier() : undefined;
    if (earlier !== undefined) return earlier.response as InferSchemaInput<O>;
    const changed =
      open.kind === 'directus' ? await work(open.backend, input, context, context.transaction) : undefined;
    const response = await context.commit(async (trx) => {
      const output =
        open.kind === 'directus' ? changed! : await work(open.within(trx), input, context, within(trx));
      await after?.(trx, input, output, context);
      return output;
    });
    if (open.kind === 'built_in') await afterCommit?.(input, context);
    return response;
  });
