import { createJsonBounds } from '../../platform/outbound/bounded-json.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts';
import { toFileResponse, toSdkResponse } from './sdk-response.ts';

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
