import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet. Forms of IPv6 that carry an IPv4 address are as public as that one. All that
 * has a special purpose is not: loopback, private networks, link-local, documentation, multicast, reserved.
 */
export function isGlobalAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(ipaddr.process(text));
  if (address.range() !== 'unicast') return false;
  // The library calls everything unicast that it knows no purpose of; only 2000::/3 is handed out.
  return address.kind() === 'ipv4' || (address.toByteArray()[0]! & 0xe0) === 0x20;
}

/** The IPv4 address in one of NAT64 (RFC 6052) or 6to4 (RFC 3056). */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const bytes = address.toByteArray();
  if (address.range() === 'rfc6052') return new ipaddr.IPv4(bytes.slice(12));
  if (address.range() === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  return address;
}
