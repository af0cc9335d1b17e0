import { readPage, type AddressParts } from '@reachout/contract/rules/pages.ts';

/** An address as it is stored: without user and password, without what may be secret, and without fragments that are no pages. */
export interface StoredAddress {
  /** Lower case, in ASCII, with a port if it is not the default one. */
  host: string;
  /** `https://shop.example`; `null` for addresses that have none, such as those of apps. */
  origin: string;
  /** The page, as people read it: docs/visits.md. */
  path: string;
  url: string;
}

const maxUrlLength = 2_048;
const maxPathLength = 1_024;

interface PageNames {
  /** The fragment, for an address without one. */
  hash?: string | null;
  /** The address of the page, as the website names it: complete, or without its host. */
  page?: string | null;
}

/** @returns undefined unless the text is a complete address */
export function readAddress(text: string, { hash, page }: PageNames = {}): StoredAddress | undefined {
  const address = URL.parse(text);
  if (address === null) return undefined;
  if (address.hash === '' && typeof hash === 'string') address.hash = hash;
  const named = typeof page === 'string' ? URL.parse(page, address) : null;
  const { protocol, host, origin } = address;
  const parts = withoutSecrets(address);
  const isNamed = named?.host === host;
  const shown = isNamed ? withoutSecrets(named) : parts;
  const path = isNamed ? readPage(shown, everything) : readPage(parts);
  // The fragment of an address is a page, or nothing.
  const fragment = path.includes('#') ? shown.hash : '';
  return {
    host,
    origin,
    path: path.slice(0, maxPathLength).toWellFormed(),
    url: `${protocol}//${host}${parts.pathname}${parts.search}${fragment}`.slice(0, maxUrlLength),
  };
}

const everything = { search: true, hash: true } as const;

const withoutSecrets = ({ pathname, search, hash }: AddressParts): AddressParts => ({
  pathname: withoutSecretSegments(pathname),
  search: withoutSecretParameters(search),
  hash: withoutSecretsInRoute(hash),
});

/** A fragment can have segments and parameters, or parameters alone. */
function withoutSecretsInRoute(hash: string): string {
  if (hash === '') return '';
  const [, path = '', search = ''] = /^#([^?]*)(.*)$/s.exec(hash) ?? [];
  const segments = path.split('/').map((segment) => {
    const text = decode(segment);
    return isSecret(text) || hasSecretParameter(`#${text}`) ? '*' : segment;
  });
  return `#${segments.join('/')}${withoutSecretParameters(search)}`;
}

/** Segments of this length can be ids of pages, and shorter ones are no secrets. */
const minSecretLength = 32;

function withoutSecretSegments(path: string): string {
  if (path.length < minSecretLength && !/@|%40/.test(path)) return path;
  return path
    .split('/')
    .map((segment) => (isSecret(decode(segment)) ? '*' : segment))
    .join('/');
}

function withoutSecretParameters(search: string): string {
  if (search.length < 2) return '';
  const kept = search.slice(1).split('&').filter(isPublic);
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

function isPublic(parameter: string): boolean {
  const end = parameter.indexOf('=');
  const [name, value] = end < 0 ? [parameter, ''] : [parameter.slice(0, end), parameter.slice(end + 1)];
  if (isSecretName(decode(name))) return false;
  // Without a name, a secret can be the whole query.
  const text = decode(end < 0 ? name : value);
  return !isSecret(text) && !uuid.test(text) && !hasSecretParameter(text);
}

const secretPart = /token|passw|secret|session|sessid|jwt|signature|credential|^ctm_/i;
const secretWord =
  /(?:^|[^a-z])(?:api_?key|key|code|auth|oauth|sid|pwd|pass|sig|otp|nonce|ticket|e_?mail)(?:[^a-z]|$)/i;

const isSecretName = (name: string): boolean =>
  secretPart.test(name) || secretWord.test(name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2'));

/** Whether an address within a parameter has parameters that are secret. */
const hasSecretParameter = (value: string): boolean =>
  [...value.matchAll(/[?&#;]([^=?&#;]{1,64})=/g)].some(([, name = '']) => isSecretName(name));

const email = /[^@]@[^@.]+\./;
/** Looks back from each dot: from each `eyJ`, it would read the rest of a long text again. */
const webToken = /(?<=eyJ[\w-]{8,})\.[\w-]{8,}/;
const uuid = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;

/** Whether a text has an email address, a JSON web token or random characters in it. */
const isSecret = (text: string): boolean =>
  email.test(text) ||
  (text.length >= minSecretLength &&
    (webToken.test(text) || (text.match(/[\w+=-]{32,}/g) ?? []).some(isRandom)));

/**
 * Whether characters of base64 or hexadecimal digits are random, and not words with hyphens between them: one piece of 32 with
 * a digit, or upper and lower case and digits mixed within a piece.
 */
function isRandom(characters: string): boolean {
  const pieces = characters.split(/[-_+=]/);
  if (pieces.some((piece) => piece.length >= minSecretLength && /\d/.test(piece))) return true;
  return pieces.some(
    (piece) => piece.length >= 8 && /\d/.test(piece) && /[a-z]/.test(piece) && /[A-Z]/.test(piece),
  );
}

/** Parameters within parameters are encoded again. */
function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3 && decoded.includes('%'); round++) {
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return decoded;
    }
  }
  return decoded;
}
