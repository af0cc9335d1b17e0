/** The HTML rule for email addresses. */
export const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
export const maxEmailLength = 254;

export const isEmail = (value: string): boolean =>
  value.trim().length <= maxEmailLength && emailPattern.test(value.trim());

/** As people write telephone numbers; at least five digits. */
export const phonePattern = /^\+?[\d\s()./-]{5,}$/;
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
