import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import { toDirectusError } from './directus-error.ts';

/** An address in the one form in which it is stored and compared: without a slash at its end. @throws DirectusError */
export function readEndpoint(outbound: OutboundClient, text: string): string {
  try {
    outbound.checkAddress(text);
  } catch (error) {
    throw toDirectusError(error, []);
  }
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}
