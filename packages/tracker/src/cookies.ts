import { cut } from './event.ts';

export const cookieNames = ['ctm_anonymous_id', 'ctm_user_id', 'ctm_user_collection'] as const;
type CookieName = (typeof cookieNames)[number];

const yearS = 31_536_000;
/** Of an encoded value. Servers refuse requests with more than about 8 kB of headers, and the website has its own cookies. */
const maxBytes = 512;

/** For browsers without cookies: until the page is left. */
const memory: Partial<Record<CookieName, string>> = {};

export function readCookie(name: CookieName): string | undefined {
  const [, value] = new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie) ?? [];
  return value === undefined ? memory[name] : decodeURIComponent(value);
}

/**
 * @param value  an empty text deletes the cookie; a long one is cut
 * @param isForSession  until the browser is closed
 */
export function writeCookie(name: CookieName, value: string, isForSession = false): void {
  const encoded = encode(value);
  const age = isForSession ? '' : ` Max-Age=${value === '' ? 0 : yearS};`;
  document.cookie = `${name}=${encoded};${age} Path=/; SameSite=Strict; Secure`;
  memory[name] = decodeURIComponent(encoded);
}

function encode(value: string): string {
  let encoded = '';
  for (const character of cut(value)) {
    const longer = encoded + encodeURIComponent(character);
    if (longer.length > maxBytes) break;
    encoded = longer;
  }
  return encoded;
}
