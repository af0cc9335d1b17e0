import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * @param host  a name in any case and script
 * @returns it in lower-case A-labels (UTS 46); empty if it is no name, or has an A-label that stands for nothing
 */
export function toALabels(host: string): string {
  const name = domainToASCII(host);
  // Node.js passes on A-labels as they are, also invalid ones, which it cannot convert back.
  return /(?:^|\.)xn--/.test(domainToUnicode(name)) ? '' : name;
}
