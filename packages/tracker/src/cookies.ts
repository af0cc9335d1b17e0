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
  try {
    return value === undefined ? memory[name] : decodeURIComponent(value);
  } catch {
    // Of somebody else: it must not cost the events of this visitor.
    return undefined;
  }
}

/** Whether the cookies are those of all hosts of the domain. */
let isShared = true;
let domain: string | undefined;

/** Whether the pages of a host have the cookies of this one. */
export const sharesCookies = (hostname: string): boolean =>
  hostname === location.hostname || (findDomain() !== '' && `.${hostname}`.endsWith(`.${domain}`));

/** Keeps the cookies to the host of the page, for domains whose hosts do not belong together. */
export function keepToHost(): void {
  isShared = false;
}

/**
 * @param value  an empty text deletes the cookie; a long one is cut
 * @param isForSession  until the browser is closed
 */
export function writeCookie(name: CookieName, value: string, isForSession = false): void {
  const encoded = encode(value);
  const age = isForSession ? '' : `Max-Age=${value === '' ? 0 : yearS}; `;
  // What is deleted needs no probe, which would be a cookie of somebody who has not agreed.
  for (const of of value === '' ? listDomains() : [findDomain()]) write(`${name}=${encoded}`, of, age);
  memory[name] = decodeURIComponent(encoded);
}

const write = (cookie: string, of: string, age: string): void => {
  document.cookie = `${cookie}; ${age}${of && `Domain=${of}; `}Path=/; SameSite=Strict; Secure`;
};

/**
 * Domains that the host belongs to, the shortest first, and an empty text for the host alone. One label has no cookies; of two
 * labels, such as `co.uk`, browsers know which have none.
 */
function listDomains(): string[] {
  const labels = isShared ? location.hostname.split('.') : [];
  return [...labels.slice(1).map((_, index) => labels.slice(-2 - index).join('.')), ''];
}

/** @returns the shortest domain that the browser keeps a cookie for: what belongs to one registrant */
function findDomain(): string {
  const probe = 'ctm_probe';
  return (domain ??=
    listDomains().find((of) => {
      write(`${probe}=1`, of, '');
      const isKept = document.cookie.includes(probe);
      write(`${probe}=`, of, 'Max-Age=0; ');
      return isKept;
    }) ?? '');
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
