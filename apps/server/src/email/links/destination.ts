/** Where a link leads. Only addresses of the web can be tracked. */
export interface Destination {
  kind: 'web' | 'app';
  address: string;
}

/** Schemes of programs on a reader's device, which a value of a contact may have. */
const appSchemes = new Set(
  (
    'mailto tel sms smsto mms callto whatsapp facetime facetime-audio imessage skype sip sips xmpp tg viber sgnl ' +
    'webcal webcals geo maps'
  ).split(' '),
);
/** Schemes that run code, read local files, or are no longer opened by any browser. */
const forbiddenSchemes = new Set(
  (
    'javascript vbscript livescript data file blob filesystem about view-source jar mhtml res resource chrome ' +
    'ms-its mk ftp ftps gopher ws wss cid mid'
  ).split(' '),
);

const schemeOf = (text: string): string | undefined => /^([a-z][a-z\d+-]*):/i.exec(text)?.[1]?.toLowerCase();

/** The form of a domain name. The last label has letters, so that `12.50` is no address. */
const domainName =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+(?:\p{L}{2,}|xn--[\da-z-]+)(?::\d{1,5})?(?:[/?#]\S*)?$/iu;

/**
 * Reads an address that depends on the data of a recipient, such as the website of a company. The same rule decides in the
 * review, when a message is built, and when somebody clicks.
 * @returns undefined if it leads nowhere
 */
export function readDestination(text: string): Destination | undefined {
  // A prefix of the template and that of the value may repeat each other.
  const value = text.trim().replace(/^(?:https?:\/\/)+(?=https?:\/\/)/i, '');
  if (domainName.test(value)) return toDestination('web', webAddress(`https://${value}`));
  const scheme = schemeOf(value);
  if (scheme === 'https' || scheme === 'http') return toDestination('web', publicAddress(value));
  if (scheme === undefined || !appSchemes.has(scheme)) return undefined;
  return toDestination('app', value.length > scheme.length + 1 ? appAddress(value) : undefined);
}

const toDestination = (kind: Destination['kind'], address: string | undefined): Destination | undefined =>
  address === undefined ? undefined : { kind, address };

/** @returns the address in WHATWG form, which is ASCII and has no control characters; undefined unless it is http(s) */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  return isHost(url.hostname) ? url.href : undefined;
}

/** `https://n/a` has the form of an address, too. */
function publicAddress(text: string): string | undefined {
  const address = webAddress(text);
  const host = address && new URL(address).hostname;
  return host !== undefined && (/[.[]/.test(host) || host === 'localhost') ? address : undefined;
}

/** `https://https://x.example` has the host `https`; a comma in place of a dot is no mistake for a browser. */
const isHost = (host: string): boolean =>
  /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])$/.test(host) && !/^https?$/.test(host);

/** The parser keeps signs that could end an address in a text. */
const appAddress = (text: string): string | undefined =>
  URL.parse(text)?.href.replaceAll(/[\s<>"]/g, encodeURIComponent);

/** Names of parameters with a signature: of AWS, Google Cloud, Azure, CloudFront, Akamai, Cloudflare, and of frameworks. */
const signatureName =
  /signature|hmac|(?:^|[^a-z])(?:sig|sign|signed|mac|hash|digest|checksum|md5|sha\d*|hdnt[sl]|verify|key_?pair_?id)(?:[^a-z]|$)/i;
const expiryName = /^(?:x_)?(?:expir(?:es|y|ation)|exp|valid_?(?:until|to)|ttl|e)$/i;

/**
 * Whether an address has a signature, as far as names and values tell. Most of these hold for the whole query: with another
 * parameter, the link is dead.
 * @param address  also one with Liquid in its values
 */
export function isSigned(address: string): boolean {
  const [, query = ''] = /^[^?#]*\?([^#]*)/s.exec(address) ?? [];
  const parameters = [...new URLSearchParams(query)]
    .filter(([, value]) => value !== '')
    .map(
      ([name, value]) => [name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').replaceAll('-', '_'), value] as const,
    );
  const has = (pattern: RegExp) => parameters.some(([name]) => pattern.test(name));
  return (
    has(signatureName) ||
    (has(/^(?:[a-z]+_)?token$/i) && has(expiryName)) ||
    // One letter, such as that of imgix, is also that of a search.
    parameters.some(([name, value]) => /^[a-z]$/i.test(name) && /^[\da-f]{16,}$/i.test(value))
  );
}

/**
 * Judges an address that an author wrote, or its beginning if the rest depends on the recipient.
 * @returns `kept`: understood everywhere, and not tracked; `app`: not tracked, and not every device opens it; undefined if
 * it is a mistake
 */
export function judgeAddress(
  text: string,
  isWhole: boolean,
): 'web' | 'kept' | 'app' | 'forbidden' | undefined {
  const address = text.replaceAll(/[\t\r\n]/g, '');
  const scheme = schemeOf(address);
  if (scheme === undefined) return address.startsWith('#') ? 'kept' : undefined;
  if (scheme === 'https' || scheme === 'http') {
    if (!/^https?:\/\/(?!\/)/i.test(address) || /^https?:\/\/https?(?:$|[:/])/i.test(address))
      return undefined;
    return isWhole && webAddress(address) === undefined ? undefined : 'web';
  }
  if (forbiddenSchemes.has(scheme)) return 'forbidden';
  // `x.example:8080` and `localhost:3000` miss their scheme; `htps:` has it wrong.
  const rest = address.slice(scheme.length + 1);
  if (/^h?[htps]*$/.test(scheme) || (/^\d{1,5}(?:$|[/?#])/.test(rest) && !appSchemes.has(scheme)))
    return undefined;
  if (isWhole && rest.replace(/^\/\//, '') === '') return undefined;
  return scheme === 'mailto' || scheme === 'tel' ? 'kept' : 'app';
}
