export type LinkTarget =
  /** A page of the help, or all of it. */
  | { is: 'help'; path: string; hash: string; page: string | undefined }
  /** The same page, another page of the installation, or an email address. */
  | { is: 'here'; href: string }
  | { is: 'elsewhere'; href: string };

/**
 * Decides where a link in a text of the help leads.
 * @param address  as written in the text
 * @param origin  of the installation
 * @returns undefined for everything but http, https, mailto and relative addresses
 */
export function readTarget(address: string, origin: string): LinkTarget | undefined {
  if (address.startsWith('#')) return { is: 'here', href: address };
  if (!URL.canParse(address, origin)) return undefined;
  const url = new URL(address, origin);
  if (url.protocol === 'mailto:') return { is: 'here', href: url.href };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (url.origin !== origin) return { is: 'elsewhere', href: url.href };
  const [, page] = /^\/help(?:\/([a-z0-9-]+))?\/?$/.exec(url.pathname) ?? [];
  return url.pathname === '/help' || page !== undefined
    ? { is: 'help', path: url.pathname, hash: url.hash.slice(1), page }
    : { is: 'here', href: url.href };
}
