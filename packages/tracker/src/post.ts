export type Post = ReturnType<typeof createPost>;

/** Asks what is no event. @returns the response, which may be an error */
export type Ask = (question: object) => Promise<Record<string, string | undefined>>;

/** @returns a function that sends JSON to the server, also while the page ends */
export const createPost =
  ({ url, token, websiteId }: { url: string; token: string; websiteId: string }) =>
  (body: string, timeoutMs: number): Promise<Response> =>
    fetch(`${url.replace(/\/+$/, '')}/api/track`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-website-id': websiteId,
        'content-type': 'application/json',
      },
      body,
      credentials: 'omit',
      keepalive: true,
      signal: AbortSignal.timeout(timeoutMs),
    });
