import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import { toDirectusError } from './directus-error.ts';

/** Normalizes an endpoint for storage and comparison: no trailing slash. @throws DirectusError */
export function readEndpoint(outbound: OutboundClient, text: string): string {
  try {
    outbound.checkAddress(text);
  } catch (error) {
    throw toDirectusError(error, []);
  }
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}
