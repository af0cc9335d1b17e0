import { isBoundedJson } from '../../platform/outbound/bounded-json.ts';
import type { OutboundResponse } from '../../platform/outbound/outbound-client.ts';
import { DirectusError } from './directus-error.ts';

/**
 * A response as the SDK takes it. What it would resolve with although it is an error, and what would cost too much to parse, is thrown
 * here.
 */
export function toSdkResponse({ status, headers, text }: OutboundResponse): Response {
  if (status === 204 || status === 205) return new Response(null, { status: 204 });
  const isJson = /^application\/(?:health\+)?json\b/i.test(headers.get('content-type') ?? '');
  if (!isJson && status >= 400) {
    throw status >= 500
      ? new DirectusError('status', `The server answers with status ${status}.`, { status })
      : new DirectusError(
          status === 401 ? 'credentials' : 'malformed',
          'The response is not one of Directus.',
          {
            status,
          },
        );
  }
  if (isJson && !isBoundedJson(text)) {
    throw new DirectusError('too_large', 'The response has too many values, or is nested too deeply.', {
      status,
    });
  }
  return new Response(text, { status, headers: keptHeaders(headers) });
}

/** Of a body that is decompressed by now, length and encoding are others. */
function keptHeaders(headers: Headers): Headers {
  const kept = new Headers();
  for (const name of ['content-type', 'retry-after']) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}
