/**
 * Addresses that mail can be sent to: those of the HTML rule with no dots at the ends of the local part or side by side,
 * at most 64 characters before the `@`, and a domain with a top level. The server's parser of addresses takes all of them.
 */
export const emailPattern =
  /^[a-zA-Z0-9_!#$%&'*+/=?^`{|}~-]+(?:\.[a-zA-Z0-9_!#$%&'*+/=?^`{|}~-]+)*@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+(?:[a-zA-Z]{2,63}|[xX][nN]--[a-zA-Z0-9-]{0,58}[a-zA-Z0-9])$/;
export const maxEmailLength = 254;

export const isEmail = (value: string): boolean => {
  const address = value.trim();
  return address.length <= maxEmailLength && emailPattern.test(address) && isDeliverable(address);
};

/**
 * What the pattern cannot say: at most 64 characters before the `@`, and no label that claims to be a translated one
 * (`xn--`) and has no Punycode behind that.
 */
export function isDeliverable(address: string): boolean {
  const at = address.lastIndexOf('@');
  return at <= 64 && URL.canParse(`https://${address.slice(at + 1)}`);
}

/** As people write telephone numbers: at least five digits and separators, none of the blanks at an end. */
export const phonePattern =
  /^(?:\+[0-9 \u00a0\u2009\u202f()./-]{4,}|[0-9()./-][0-9 \u00a0\u2009\u202f()./-]{3,})[0-9()./-]$/;
export const maxPhoneLength = 40;

export const isPhone = (value: string): boolean =>
  value.trim().length <= maxPhoneLength && phonePattern.test(value.trim());

export const webProtocolPattern = /^https?$/;
export const domainPattern = /^([a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,}$/;
export const maxWebAddressLength = 500;

/** http and https only, with a domain: such an address becomes a link on screen. */
export function isWebAddress(value: string): boolean {
  const address = value.trim();
  if (address.length > maxWebAddressLength || !/^https?:\/\//i.test(address) || !URL.canParse(address))
    return false;
  return domainPattern.test(new URL(address).hostname);
}
