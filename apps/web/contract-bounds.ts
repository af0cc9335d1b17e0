import { readInputBounds } from '@reachout/contract/input-bounds.ts';
import { contract } from '@reachout/contract/router.ts';
import type { Plugin } from 'vite';

/** Calls of `boundsOf`; the name of an operation is always a literal. */
export const boundsCall = /\bboundsOf\(\s*'([\w.]+)',?\s*\)/g;

/**
 * Replaces each `boundsOf('brands.update')` by the bounds that the contract gives to the input of that operation, so that a
 * page loads those of its forms, and no schema.
 */
export function contractBounds(): Plugin {
  return {
    name: 'contract-bounds',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/.*\.tsx?(?:$|\?)/, code: boundsCall },
      handler: (code) => ({
        code: code.replaceAll(boundsCall, (_call, name: string) =>
          JSON.stringify(readInputBounds(contract, name)),
        ),
        map: null,
      }),
    },
  };
}
