/**
 * Whether a page of this host comes from the machine itself. Elsewhere the developer panel has no forced states, and their
 * code is never loaded: users of a production installation see the server's responses.
 */
export const isLocal = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
