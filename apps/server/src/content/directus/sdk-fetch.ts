import { createJsonBounds } from '../../platform/outbound/bounded-json.ts';
import type { OutboundClient, OutboundResponse } from '../../platform/outbound/outbound-client.ts';
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts';
import { DirectusError } from './directus-error.ts';

/** Request options that commands pass through `withOptions` of the SDK. */
export interface SdkOptions {
  /** Maximum JSON values in the response, below the general limit. */
  mostValues?: number;
  /** Whether the response is a file instead of JSON. */
  isFile?: boolean;
}

interface SdkInit extends SdkOptions {
  method: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

interface Sender {
  organizationId: string;
  accessToken: string;
  /** Deadline for its requests, in milliseconds since the epoch. */
  until?: number | undefined;
}

/** The `fetch` function for the SDK, backed by the guarded outbound client. */
export const createSdkFetch =
  (outbound: OutboundClient, { organizationId, accessToken, until }: Sender) =>
  async (url: unknown, init: unknown): Promise<Response> => {
    const { method, mostValues, isFile = false, ...rest } = init as SdkInit;
    // File transfers have their own concurrency limit, so that item requests do not wait for them.
    const owner = isFile || rest.body instanceof FormData ? `${organizationId} files` : organizationId;
    const sent = { owner, url: String(url), method, until, ...(await encodeBody(rest)) };
    if (!isFile) {
      const response = await outbound.request({ ...sent, bounds: createJsonBounds(mostValues) });
      return toSdkResponse(response, accessToken);
    }
    const response = await outbound.request(sent);
    if (response.status === 200) return toFileResponse(response, accessToken);
    // An error response is parsed as JSON, so the JSON limits apply.
    if (!createJsonBounds().accepts(response.body)) throw new OutboundFailure('too_large');
    return toSdkResponse(response, accessToken);
  };

/** Encodes a form body; its content-type header carries the multipart boundary. */
async function encodeBody({ headers, body }: Pick<SdkInit, 'headers' | 'body'>) {
  if (!(body instanceof FormData)) return { headers, body };
  const form = new Response(body);
  const contentType = form.headers.get('content-type') ?? '';
  return { headers: { ...headers, 'content-type': contentType }, body: await form.bytes() };
}

/** A shorter token may be an ordinary word that occurs in items. */
const minSecretLength = 16;

/**
 * Converts a response for the SDK. Throws the errors that the SDK would resolve as success. Removes the access token
 * everywhere in the body, unless it is shorter than `minSecretLength`, and all headers but content-type and retry-after.
 * @throws DirectusError
 */
function toSdkResponse({ status, headers, body }: OutboundResponse, accessToken: string): Response {
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
function toFileResponse({ body }: OutboundResponse, accessToken: string): Response {
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
