import { createJsonBounds } from '../../platform/outbound/bounded-json.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts';
import { toFileResponse, toSdkResponse } from './sdk-response.ts';

/** What commands add to their requests, through `withOptions` of the SDK. */
export interface SdkOptions {
  /** Values of JSON that the response may have, fewer than are ever read. */
  mostValues?: number;
  /** Whether the response is a file, and no JSON. */
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
  /** When its requests end at the latest, as `Date.now()` counts. */
  until?: number | undefined;
}

/** `fetch` as the SDK calls it, over the guarded client. */
export const createSdkFetch =
  (outbound: OutboundClient, { organizationId, accessToken, until }: Sender) =>
  async (url: unknown, init: unknown): Promise<Response> => {
    const { method, mostValues, isFile = false, ...rest } = init as SdkInit;
    // Items do not wait for the bytes of files.
    const owner = isFile || rest.body instanceof FormData ? `${organizationId} files` : organizationId;
    const sent = { owner, url: String(url), method, until, ...(await encodeBody(rest)) };
    if (!isFile) {
      const response = await outbound.request({ ...sent, bounds: createJsonBounds(mostValues) });
      return toSdkResponse(response, accessToken);
    }
    const response = await outbound.request(sent);
    if (response.status === 200) return toFileResponse(response, accessToken);
    // It is parsed like others.
    if (!createJsonBounds().accepts(response.body)) throw new OutboundFailure('too_large');
    return toSdkResponse(response, accessToken);
  };

/** A form has a boundary, which stands in the header. */
async function encodeBody({ headers, body }: Pick<SdkInit, 'headers' | 'body'>) {
  if (!(body instanceof FormData)) return { headers, body };
  const form = new Response(body);
  const contentType = form.headers.get('content-type') ?? '';
  return { headers: { ...headers, 'content-type': contentType }, body: await form.bytes() };
}
