/** Whether a host name or address means this machine and no other (RFC 6761 section 6.3, RFC 5735). */
export const isLoopback = (host: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
