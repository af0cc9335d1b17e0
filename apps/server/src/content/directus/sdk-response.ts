import type { OutboundResponse } from '../../platform/outbound/outbound-client.ts';
import { DirectusError } from './directus-error.ts';

/** A shorter token may be an ordinary word that occurs in items. */
const minSecretLength = 16;

/**
 * Converts a response for the SDK. Throws the errors that the SDK would resolve as success. Removes the access token
 * everywhere in the body, unless it is shorter than `minSecretLength`, and all headers but content-type and retry-after.
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
  // Passing the body to `Response` would make two more copies in memory.
  return Object.assign(new Response(null, { status, headers: keptHeaders(headers) }), {
    json: async () => JSON.parse(shown) as unknown,
    text: async () => shown,
  });
}

/**
 * Converts a response to a file, ignoring its headers.
 * @throws DirectusError if the file contains the access token (of at least `minSecretLength` characters), which must not
 *   reach readers of files
 */
export function toFileResponse({ body }: OutboundResponse, accessToken: string): Response {
  if (accessToken.length >= minSecretLength && body.includes(accessToken))
    throw new DirectusError('malformed', 'The file has the token of the platform in it.');
  return Object.assign(new Response(null), { arrayBuffer: async () => body });
}

/** Drops content-length and content-encoding, which are wrong for the decompressed body. */
function keptHeaders(headers: Headers): Headers {
  const kept = new Headers();
  for (const name of ['content-type', 'retry-after']) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}
