import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet. An IPv6 address that embeds an IPv4 address is as public as that one.
 * Special-purpose ranges are not public: loopback, private networks, link-local, documentation, multicast, reserved.
 */
export function isGlobalAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(ipaddr.process(text));
  if (address.range() !== 'unicast') return false;
  // The library reports every range that it does not know as unicast; only 2000::/3 is allocated.
  return address.kind() === 'ipv4' || (address.toByteArray()[0]! & 0xe0) === 0x20;
}

/** Extracts the IPv4 address of a NAT64 (RFC 6052) or 6to4 (RFC 3056) address. */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const bytes = address.toByteArray();
  if (address.range() === 'rfc6052') return new ipaddr.IPv4(bytes.slice(12));
  if (address.range() === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  return address;
}
