export const cookieNames = ['ctm_anonymous_id', 'ctm_user_id', 'ctm_user_collection'] as const;
type CookieName = (typeof cookieNames)[number];

const yearS = 31_536_000;

/** For browsers without cookies: until the page is left. */
const memory: Partial<Record<CookieName, string>> = {};

export function readCookie(name: CookieName): string | undefined {
  const [, value] = new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie) ?? [];
  return value === undefined ? memory[name] : decodeURIComponent(value);
}

/** @param value  an empty text deletes the cookie */
export function writeCookie(name: CookieName, value: string): void {
  document.cookie = `${name}=${encodeURIComponent(value)}; Max-Age=${value === '' ? 0 : yearS}; Path=/; SameSite=Strict; Secure`;
  memory[name] = value;
}
