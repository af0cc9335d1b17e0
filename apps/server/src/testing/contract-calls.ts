import type { ErrorMap } from '@orpc/contract';
import type { z } from 'zod';
import { unknownPathMessage } from '@reachout/contract/errors.ts';
import type { Access, OperationMeta } from '@reachout/contract/operation.ts';
import { contract } from '@reachout/contract/router.ts';
import { signIn } from '@reachout/contract/sign-in.ts';

export interface ContractOperation {
  /** Path in the contract, such as `clients.list`. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/api`, with `{placeholders}`. */
  path: string;
  access: Access;
  requiresReauth: OperationMeta['requiresReauth'];
  secretFields: readonly string[];
  isExpensive: boolean;
  bodyField: string | undefined;
  input: z.ZodObject | undefined;
  /** Undefined for redirects and files. */
  output: z.ZodType | undefined;
  successStatus: number;
  errors: ErrorMap;
}

/** Every operation that the contract declares, except those of `signIn`. */
export const contractOperations: ContractOperation[] = [...listOperations(contract, [])];

/** The operations before a sign-in, which are plain routes. */
export const signInOperations: ContractOperation[] = [...listOperations(signIn, ['signIn'])];

/** The operations of members, with their access; tests of the whole contract iterate over these. */
export const memberOperations = contractOperations.flatMap((operation) =>
  operation.access.who === 'member' ? [{ ...operation, access: operation.access }] : [],
);
export type MemberOperation = (typeof memberOperations)[number];

/** @returns the path, and the rest of the input for the query or the body */
export function splitInput({ path }: ContractOperation, input: Record<string, unknown>) {
  const rest = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, key: string) => {
    const value = rest[key];
    delete rest[key];
    return encodeURIComponent(String(value));
  });
  return { path: `/api${filled}`, rest };
}

export function toRequest(operation: ContractOperation, input: Record<string, unknown>) {
  const { path, rest } = splitInput(operation, input);
  const { bodyField } = operation;
  if (bodyField !== undefined) {
    const { [bodyField]: body, ...others } = rest;
    return { method: operation.method, path: withQuery(path, others), body };
  }
  if (operation.method !== 'GET')
    return { method: operation.method, path, ...(Object.keys(rest).length === 0 ? {} : { body: rest }) };
  return { method: operation.method, path: withQuery(path, rest) };
}

/** @returns the required fields of the input, without filters */
export const requiredInput = (
  { input: schema }: ContractOperation,
  input: Record<string, unknown>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).filter(([key]) => schema?.shape[key]?.safeParse(undefined).success === false),
  );

function withQuery(path: string, parameters: Record<string, unknown>): string {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([key, value]) => [key, String(value)]),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** True for the response to an operation that the server does not implement; another test lists these. */
export const isMissing = ({ status, body }: { status: number; body: unknown }): boolean =>
  status === 404 && (body as { detail?: string } | undefined)?.detail === unknownPathMessage;

function* listOperations(node: object, names: string[]): Generator<ContractOperation> {
  for (const [name, child] of Object.entries(node) as [string, object][]) {
    if (!('~orpc' in child)) {
      yield* listOperations(child, [...names, name]);
      continue;
    }
    const { meta, route, inputSchema, outputSchema, errorMap } = child['~orpc'] as {
      meta: OperationMeta;
      route: { method: ContractOperation['method']; path: string; successStatus: number };
      inputSchema?: z.ZodObject;
      outputSchema?: z.ZodType;
      errorMap: ErrorMap;
    };
    yield {
      name: [...names, name].join('.'),
      method: route.method,
      path: route.path,
      access: meta.access,
      requiresReauth: meta.requiresReauth,
      secretFields: meta.secretFields,
      isExpensive: meta.isExpensive,
      bodyField: meta.bodyField,
      input: inputSchema,
      output: outputSchema,
      successStatus: route.successStatus,
      errors: errorMap,
    };
  }
}
