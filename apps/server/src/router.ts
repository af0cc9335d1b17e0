import { createHealthRoutes } from './health.routes.ts';
import type { Services } from './services.ts';

/** Every call of the contract with its implementation. */
export function createRouter(services: Services) {
  return {
    health: createHealthRoutes(services),
  };
}
