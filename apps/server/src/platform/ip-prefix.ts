import ipaddr from 'ipaddr.js';

/**
 * The network that contains an address, in CIDR notation (RFC 4632, RFC 5952).
 * @param address  as a socket or a proxy writes it: with a port, a zone, in brackets, or IPv4 within IPv6
 * @param bits  length of the prefix for each family
 * @returns `203.0.113.0/24`, `2001:db8:1::/48`; undefined if the text is not an address
 */
export function ipPrefixOf(address: string, bits: { ipv4: number; ipv6: number }): string | undefined {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1');
  const host = bare.split('%')[0] ?? '';
  // The library also accepts shortened and octal IPv4 addresses, which are rejected here.
  if (!ipaddr.IPv4.isValidFourPartDecimal(host) && !ipaddr.IPv6.isValid(host)) return undefined;
  const parsed = ipaddr.process(host);
  const length = bits[parsed.kind()];
  const family = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${parsed.toString()}/${length}`).toString()}/${length}`;
}

/** The network whose requests count together: one address of IPv4, a subnet of IPv6. @returns the text itself if it is no address */
export const networkOf = (address: string): string => ipPrefixOf(address, { ipv4: 32, ipv6: 64 }) ?? address;
