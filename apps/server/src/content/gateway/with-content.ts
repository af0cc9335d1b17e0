import type { AnySchema, ErrorMap, InferSchemaInput, InferSchemaOutput } from '@orpc/contract';
import type { Operation, OperationContext } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { ContactRules } from '../backend/contact-rules.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import { findConnection, openClient, type DirectusDeps } from '../directus/connection.ts';
import { createDirectusBackend, type DirectusBackend } from '../directus/directus-backend.ts';

/**
 * The content backend that an organization uses. The built-in one works inside a transaction; a Directus is called over the
 * network, so outside of any transaction.
 */
export type OpenBackend =
  | { kind: 'built_in'; within: (trx: Transaction) => ContentBackend }
  | { kind: 'directus'; endpoint: string; backend: DirectusBackend };

/** With `contacts`, items can be written. */
export interface ContentDeps extends DirectusDeps {
  contacts: ContactRules;
}

type Run = <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;

/**
 * @param run  opens a short transaction of this organization, within the caller's access scope
 * @param isAwaited  whether a client waits for the response: all requests to a Directus then share the time limit of one
 * @param relatedOf  whose access scope the collections must be in that the relations of a rule lead to; by default the caller's
 */
export async function openBackend(
  { secrets, outbound, contacts }: DirectusDeps & Partial<ContentDeps>,
  owner: { organizationId: string; userId: string | null },
  run: Run,
  { isAwaited = false, relatedOf }: { isAwaited?: boolean; relatedOf?: 'caller' | 'organization' } = {},
): Promise<OpenBackend> {
  const { organizationId } = owner;
  const connection = await run((trx) => findConnection(trx, secrets, organizationId));
  if (connection === undefined) {
    return { kind: 'built_in', within: (trx) => createBuiltInBackend(trx, { ...owner, contacts }) };
  }
  const until = isAwaited ? Date.now() + outbound.totalMs : undefined;
  const client = openClient({ outbound }, connection, run, { until });
  const { endpoint } = connection;
  return {
    kind: 'directus',
    endpoint,
    backend: createDirectusBackend(client, organizationId, run, relatedOf),
  };
}

const within =
  (trx: Transaction): Run =>
  (work) =>
    work(trx);

interface ContentWork<I extends AnySchema, O extends AnySchema> {
  /** With the built-in backend, runs before the transaction: for work that takes time outside of the database. */
  prepare?: (input: InferSchemaOutput<I>, context: OperationContext) => Promise<void>;
  /** Reads or changes items. */
  work: (
    backend: ContentBackend,
    input: InferSchemaOutput<I>,
    context: OperationContext,
    /** Runs queries on the platform's own data, in the transaction of the built-in backend or a new one. */
    run: Run,
  ) => Promise<InferSchemaInput<O>>;
  /** Changes the platform's own data after the items are changed. */
  after?: (
    trx: Transaction,
    input: InferSchemaOutput<I>,
    output: InferSchemaInput<O>,
    context: OperationContext,
  ) => Promise<void>;
  /** Changes what the built-in backend stores outside of the database, after the commit. */
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
 * Implements an operation that changes items and declares `manualTransaction`. With the built-in backend, the change, its
 * audit entry and its idempotency key share one transaction. A Directus is changed first; then the other two are written.
 */
export const changeContent = <I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  deps: DirectusDeps & Partial<ContentDeps>,
  operation: Operation<I, O, E>,
  { prepare, work, after, afterCommit }: ContentWork<I, O>,
) =>
  operation.handler(async ({ input, context }) => {
    const open = await openBackend(deps, context, context.transaction, { isAwaited: true });
    const earlier = open.kind === 'directus' ? await context.findEarlier() : undefined;
    if (earlier !== undefined) return earlier.response as InferSchemaInput<O>;
    const changed =
      open.kind === 'directus' ? await work(open.backend, input, context, context.transaction) : undefined;
    if (open.kind === 'built_in') await prepare?.(input, context);
    const response = await context.commit(async (trx) => {
      const output =
        open.kind === 'directus' ? changed! : await work(open.within(trx), input, context, within(trx));
      await after?.(trx, input, output, context);
      return output;
    });
    if (open.kind === 'built_in') await afterCommit?.(input, context);
    return response;
  });
