import type { AnySchema, ErrorMap, InferSchemaInput, InferSchemaOutput } from '@orpc/contract';
import { inTransaction, type Operation, type OperationContext } from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { createBuiltInBackend } from './built-in-backend.ts';
import type { ContentBackend } from '../backend/content-backend.ts';

/** Implements an operation on the built-in backend of the caller's organization, in one transaction. */
export const withBackend = <I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  operation: Operation<I, O, E>,
  work: (
    backend: ContentBackend,
    input: InferSchemaOutput<I>,
    context: OperationContext,
    trx: Transaction,
  ) => Promise<InferSchemaInput<O>>,
) =>
  inTransaction(operation, (trx, input, context) =>
    work(createBuiltInBackend(trx, context), input, context, trx),
  );
