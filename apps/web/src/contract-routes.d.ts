declare module 'virtual:contract-routes' {
  import type { Contract } from '@reachout/contract/router.ts';

  /** The contract without its schemas, made by vite.config.ts. */
  export const routes: Contract;
}
