/** Maximum number of hosts of a website. */
export const maxHosts = 20;

/** The longest host name with a port and `*.`; whole web addresses are shortened to their host. */
export const maxHostLength = 300;

/**
 * Reads a host of a website, as people type or paste it: `shop.example`, `*.shop.example` for its subdomains,
 * `localhost:3000`, or a whole web address, of which the host is taken.
 * @returns it in lower case, international names as A-labels, and without a default port; undefined if it is none
 */
export function readWebsiteHost(text: string): string | undefined {
  const [, scheme = 'http://', subdomains = '', rest = ''] =
    /^(https?:\/\/)?(\*\.)?(.*)$/i.exec(text.trim()) ?? [];
  // A single word is nearly always a typing error, and URL reads numbers as addresses.
  if (!/^(?:[^/?#]*[.\u3002][^/?#]|localhost(?![^:/?#])|\[)/i.test(rest)) return undefined;
  if (!URL.canParse(scheme + rest)) return undefined;
  const url = new URL(scheme + rest);
  if (url.username !== '' || url.password !== '') return undefined;
  const name = url.hostname.replace(/\.$/, '');
  if (!/^(?:(?!-)[a-z\d_-]{1,63}(?<!-)(?:\.(?!-)[a-z\d_-]{1,63}(?<!-))*|\[[\da-f:.]+\])$/.test(name))
    return undefined;
  const isAddress = /^\[|\.\d+$/.test(name);
  if (name.length > 253 || (subdomains !== '' && (isAddress || !name.includes('.')))) return undefined;
  return subdomains + name + (url.port === '' || url.port === '443' ? '' : `:${url.port}`);
}

/**
 * Whether the host of a page is one of a website.
 * @param hosts  `shop.example`, or `*.shop.example` for all of its subdomains; as `readWebsiteHost` returns them
 * @param host  as in `URL.host`
 */
export function isHostOf(hosts: ReadonlySet<string>, host: string): boolean {
  if (hosts.has(host)) return true;
  // Pages say hosts of any length, of which each part would be looked up.
  if (host.length > maxHostLength) return false;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1))
    if (hosts.has(`*${host.slice(dot)}`)) return true;
  return false;
}
