/**
 * Deliverable addresses: the pattern of the HTML standard, without a dot at either end of the local part or two in a row, at
 * most 64 characters before the `@`, and a domain with a top level. The local part contains no `%`, `!` or `|`, and begins with
 * neither `-` nor `/`: relays would read a route to another host, a program, an option or a file. The server's address parser
 * accepts all of them.
 */
export const emailPattern =
  /^(?![/-])[a-zA-Z0-9_#$&'*+/=?^`{}~-]+(?:\.[a-zA-Z0-9_#$&'*+/=?^`{}~-]+)*@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+(?:[a-zA-Z]{2,63}|[xX][nN]--[a-zA-Z0-9-]{0,58}[a-zA-Z0-9])$/;
export const maxEmailLength = 254;

export const isEmail = (value: string): boolean => {
  const address = value.trim();
  return address.length <= maxEmailLength && emailPattern.test(address) && isDeliverable(address);
};

/**
 * Checks what the pattern cannot express: at most 64 characters before the `@`, and no domain label that begins with `xn--`
 * but contains no valid Punycode.
 */
export function isDeliverable(address: string): boolean {
  const at = address.lastIndexOf('@');
  // Node.js looks at Punycode only if some label is not ASCII.
  return at <= 64 && URL.canParse(`https://ü.${address.slice(at + 1)}`);
}

/** Phone number: at least five digits and separators, without blanks at either end. */
export const phonePattern =
  /^(?:\+[0-9 \u00a0\u2009\u202f()./-]{4,}|[0-9()./-][0-9 \u00a0\u2009\u202f()./-]{3,})[0-9()./-]$/;
export const maxPhoneLength = 40;

export const isPhone = (value: string): boolean =>
  value.trim().length <= maxPhoneLength && phonePattern.test(value.trim());

export const webProtocolPattern = /^https?$/;
export const domainPattern = /^([a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,}$/;
export const maxWebAddressLength = 500;

/** Only http and https with a domain, because such an address becomes a link on screen. */
export function isWebAddress(value: string): boolean {
  const address = value.trim();
  if (address.length > maxWebAddressLength || !/^https?:\/\//i.test(address) || !URL.canParse(address))
    return false;
  return domainPattern.test(new URL(address).hostname);
}
