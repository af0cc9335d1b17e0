/** The HTML rule for email addresses, and the length the server allows. */
const htmlEmail =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

export const isEmail = (value: string): boolean => value.trim().length <= 254 && htmlEmail.test(value.trim());

export const maxName = 120;

/** http and https only, with a domain: such an address becomes a link on screen. */
export function isWebAddress(value: string): boolean {
  const address = value.trim();
  if (address.length > 500 || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return /^https?:$/.test(protocol) && hostname.includes('.');
}

/** Digits as people write them, at least five; the same as the server's. */
const phone = /^\+?[\d\s()./-]{5,}$/;

export const isPhone = (value: string): boolean => phone.test(value.trim());
