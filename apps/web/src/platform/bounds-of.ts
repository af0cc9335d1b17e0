import type { AnySchema, InferSchemaOutput } from '@orpc/contract';
import type { FieldBounds } from '@reachout/contract/input-bounds.ts';
import type { Contract } from '@reachout/contract/router.ts';

declare const values: unique symbol;

/** The bounds of an operation's input by field, with the type of what the server gets. */
export type Bounds<T> = { readonly [K in keyof T]-?: FieldBounds } & { readonly [values]?: T };

/**
 * What the contract says of the input of an operation, such as `GROUP.update`: the build replaces the call by it
 * (`contract-bounds.ts`), so that no schema is loaded.
 */
export const boundsOf = <N extends string>(
  name: [InputOf<Contract, N>] extends [never] ? never : N,
): Bounds<InputOf<Contract, N>> => {
  throw new Error(`The bounds of ${name} are there in a build only.`);
};

type InputOf<C, N extends string> = N extends `${infer Group}.${infer Rest}`
  ? Group extends keyof C
    ? InputOf<C[Group], Rest>
    : never
  : N extends keyof C
    ? C[N] extends { '~orpc': { inputSchema?: infer Schema } }
      ? InferSchemaOutput<Extract<Schema, AnySchema>>
      : never
    : never;
