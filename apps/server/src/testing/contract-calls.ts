import type { ErrorMap } from '@orpc/contract';
import type { z } from 'zod';
import type { Access, CallMeta } from '@reachout/contract/operation.ts';
import { contract } from '@reachout/contract/router.ts';

export interface ContractCall {
  /** Where it stands in the contract, such as `clients.list`. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api`, with `{placeholders}`. */
  path: string;
  access: Access;
  recentSignIn: boolean;
  shownOnce: readonly string[];
  input: z.ZodObject | undefined;
  errors: ErrorMap;
}

/** Every call that the contract declares. */
export const contractCalls: ContractCall[] = [...listCalls(contract, [])];

/** The calls of members, with their access; the tests over the contract go through these. */
export const memberCalls = contractCalls.flatMap((call) =>
  call.access.who === 'member' ? [{ ...call, access: call.access }] : [],
);
export type MemberCall = (typeof memberCalls)[number];

/** The path and what remains of the input for the query or the body. */
export function splitInput({ path }: ContractCall, input: Record<string, unknown>) {
  const rest = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, key: string) => {
    const value = rest[key];
    delete rest[key];
    return encodeURIComponent(String(value));
  });
  return { path: `/api${filled}`, rest };
}

/** How a call with this input looks over HTTP. */
export function toRequest(call: ContractCall, input: Record<string, unknown>) {
  const { path, rest } = splitInput(call, input);
  if (call.method !== 'GET')
    return { method: call.method, path, ...(Object.keys(rest).length === 0 ? {} : { body: rest }) };
  const query = new URLSearchParams(
    Object.entries(rest).map(([key, value]) => [key, String(value)]),
  ).toString();
  return { method: call.method, path: query === '' ? path : `${path}?${query}` };
}

/** True for the answer to a call that the server does not implement: a test of its own tells which ones. */
export const isMissing = ({ status, body }: { status: number; body: unknown }): boolean =>
  status === 404 && (body as { detail?: string } | undefined)?.detail === 'There is no such call.';

function* listCalls(node: object, names: string[]): Generator<ContractCall> {
  for (const [name, child] of Object.entries(node) as [string, object][]) {
    if (!('~orpc' in child)) {
      yield* listCalls(child, [...names, name]);
      continue;
    }
    const { meta, route, inputSchema, errorMap } = child['~orpc'] as {
      meta: CallMeta;
      route: { method: ContractCall['method']; path: string };
      inputSchema?: z.ZodObject;
      errorMap: ErrorMap;
    };
    yield {
      name: [...names, name].join('.'),
      method: route.method,
      path: route.path,
      access: meta.access,
      recentSignIn: meta.recentSignIn,
      shownOnce: meta.shownOnce,
      input: inputSchema,
      errors: errorMap,
    };
  }
}
