import { graphemesOf } from '@reachout/contract/rules/cut-text.ts';
import { domainToASCII, domainToUnicode } from 'node:url';

export const addressErrors = ['malformed', 'too_long', 'smtputf8', 'address_literal'] as const;
export type AddressError = (typeof addressErrors)[number];

export interface ParsedAddress {
  /** The address to send to: local part as entered, domain as A-labels. Pure ASCII, safe in a header and an envelope. */
  address: string;
  /** Key for duplicates and suppressions: all lower case, including `+tag`. */
  key: string;
}

/** In characters; longer than any address, also with a Unicode domain. Longer input is not parsed. */
export const maxInputLength = 1_000;

/**
 * Matches nearly all addresses: in lower case, and valid without further checks. They are shorter than the limits of their
 * parts, and their domains have no adjacent hyphens, as A-labels do. Also used in PostgreSQL:
 * `content_items.has_ordinary_email`.
 */
export const ordinaryAddress =
  '^[a-z0-9_+][a-z0-9_+-]*(?:[.][a-z0-9_+-]+)*@(?:[a-z0-9]+[.-])*[a-z0-9]+[.][a-z][a-z]+$';
/** In bytes; an address of this length or more needs the full check. */
export const maxOrdinaryLength = 66;
const ordinary = new RegExp(ordinaryAddress);

/**
 * Accepts exactly one bare mailbox, and nothing that a header parser could read as several, or as a name. Quoted local
 * parts are rejected: their only use today is to confuse.
 * @returns `smtputf8` for an otherwise valid address with a non-ASCII local part
 */
export function parseAddress(input: string): ParsedAddress | { error: AddressError } {
  const text = input.trim();
  if (text.length < maxOrdinaryLength && ordinary.test(text)) return { address: text, key: text };
  if (text.length > maxInputLength) return { error: 'too_long' };
  if (
    // oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
    /[\u0000-\u0020\u007f-\u00a0\u2000-\u200f\u2028-\u202f\u2060-\u206f\u3000\ufeff,;:<>()"\\]/.test(text)
  ) {
    return { error: text.includes('@[') ? 'address_literal' : 'malformed' };
  }
  const at = text.indexOf('@');
  if (at < 1 || at !== text.lastIndexOf('@')) return { error: 'malformed' };
  const local = text.slice(0, at);
  const host = text.slice(at + 1);
  if (host.startsWith('[')) return { error: 'address_literal' };
  const domain = parseDomain(host);
  if (domain === undefined) return { error: 'malformed' };
  if (!isWellFormed(local)) return { error: 'malformed' };
  // Octets, not characters (RFC 5321 section 4.5.3.1); 254 is what fits into a path with its angle brackets.
  const localBytes = Buffer.byteLength(local);
  if (localBytes > 64 || localBytes + 1 + domain.length > 254) return { error: 'too_long' };
  // oxlint-disable-next-line no-control-regex -- "is it ASCII"
  if (/[^\u0000-\u007f]/.test(local)) return { error: 'smtputf8' };
  return { address: `${local}@${domain}`, key: `${local}@${domain}`.toLowerCase() };
}

/**
 * @param text  that `parseAddress` does not accept
 * @returns the first visible sign that the part of an address in which it stands cannot have; undefined if none is the reason
 */
export function findForeignSign(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const local = at === -1 ? text : text.slice(0, at);
  const host = at === -1 ? '' : text.slice(at + 1);
  return /[^\s\w#$&'*+/=?^`{}~.-]/u.exec(local)?.[0] ?? /[^\s\p{L}\p{M}\p{N}.-]/u.exec(host)?.[0];
}

/** @param address  as `parseAddress` returned it */
export const domainOfAddress = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/**
 * atext and single dots (RFC 5322 section 3.2.3), or non-ASCII (RFC 6531), which the caller reports as `smtputf8`; without what
 * relays read as a route to another host (`%`, `!`: RFC 5321 appendix C), a program, an option or a file.
 */
const isWellFormed = (local: string): boolean =>
  /^(?![/-])[\w#$&'*+/=?^`{}~\u0080-\u{10ffff}-]+(?:\.[\w#$&'*+/=?^`{}~\u0080-\u{10ffff}-]+)*$/u.test(local);

/** Converts to lower-case A-labels (UTS 46); requires labels of letters, digits and hyphens, and a non-numeric top level. */
function parseDomain(host: string): string | undefined {
  if (host.length > 253 || /[/?#%@[\]]/.test(host)) return undefined;
  const domain = toALabels(host);
  if (domain === '' || domain.length > 253) return undefined;
  const labels = domain.split('.');
  if (labels.length < 2) return undefined;
  if (!labels.every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(label))) return undefined;
  return /^(?:[a-z]{2,63}|xn--[a-z\d-]+)$/.test(labels.at(-1)!) ? domain : undefined;
}

/**
 * Masks an address for pages that anyone with a token can see.
 * @returns e.g. `m•••@example.org`, the same length for every local part
 */
export function maskAddress(address: string): string {
  const [first = ''] = graphemesOf(address);
  return `${first}•••${address.slice(address.lastIndexOf('@'))}`;
}

/** The characters that JavaScript's `trim` removes, for statements that do the same as `parseAddress`. */
export const whitespace =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/**
 * @param host  a name in any case and script
 * @returns it in lower-case A-labels (UTS 46); empty if it is no name, or has an A-label that stands for nothing
 */
export function toALabels(host: string): string {
  const name = domainToASCII(host);
  // Node.js passes on A-labels as they are, also invalid ones, which it cannot convert back.
  return /(?:^|\.)xn--/.test(domainToUnicode(name)) ? '' : name;
}
