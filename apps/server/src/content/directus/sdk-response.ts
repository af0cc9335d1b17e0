import type { OutboundResponse } from '../../platform/outbound/outbound-client.ts';
import { DirectusError } from './directus-error.ts';

/** A shorter token may be a word that items contain. */
const minSecretLength = 16;

/**
 * A response as the SDK takes it. What it would resolve with although it is an error is thrown here. The token that was sent along
 * never comes back, wherever it stands.
 * @throws DirectusError
 */
export function toSdkResponse({ status, headers, body }: OutboundResponse, accessToken: string): Response {
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
  const text = new TextDecoder().decode(body);
  const shown = accessToken.length < minSecretLength ? text : text.replaceAll(accessToken, '…');
  // A body inside of it would be two more copies in memory.
  return Object.assign(new Response(null, { status, headers: keptHeaders(headers) }), {
    json: async () => JSON.parse(shown) as unknown,
    text: async () => shown,
  });
}

/**
 * A file, whatever the headers say that it is.
 * @throws DirectusError for one with the token that was sent along: it is not for who reads files
 */
export function toFileResponse({ body }: OutboundResponse, accessToken: string): Response {
  if (accessToken.length >= minSecretLength && body.includes(accessToken))
    throw new DirectusError('malformed', 'The file has the token of the platform in it.');
  return Object.assign(new Response(null), { arrayBuffer: async () => body });
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
