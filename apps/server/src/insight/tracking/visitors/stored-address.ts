/** An address as it is stored: without fragment, user and password, and without what may be secret. */
export interface StoredAddress {
  /** Lower case, in ASCII, with a port if it is not the default one. */
  host: string;
  /** `https://shop.example`; `null` for addresses that have none, such as those of apps. */
  origin: string;
  path: string;
  url: string;
}

export const maxUrlLength = 2_048;
const maxPathLength = 1_024;

/** @returns undefined unless the text is a complete address */
export function readAddress(text: string): StoredAddress | undefined {
  const parsed = URL.parse(text);
  if (parsed === null) return undefined;
  const { protocol, host, origin, search } = parsed;
  const path = withoutSecrets(parsed.pathname);
  return {
    host,
    origin,
    path: path.slice(0, maxPathLength),
    url: `${protocol}//${host}${path}${withoutSecretParameters(search)}`.slice(0, maxUrlLength),
  };
}

/** Segments of this length can be ids of pages, and shorter ones are no secrets. */
const minSecretLength = 32;

function withoutSecrets(path: string): string {
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
