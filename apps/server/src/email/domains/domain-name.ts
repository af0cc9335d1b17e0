import { isIP } from 'node:net';
import { getDomain, parse } from 'tldts';
import { toALabels } from '../addresses/address.ts';

/** Why a name cannot be a sending domain. */
export type DomainNameProblem =
  /** Not a name that the DNS can have, or too long for the names that are derived from it. */
  | 'malformed'
  | 'ip_address'
  | 'single_label'
  /** Names below it belong to different owners: `co.uk`, `github.io`. */
  | 'public_suffix'
  /** Everyone can have an address there. */
  | 'free_mail'
  /** A name of this installation, or one below it. */
  | 'own_name';

/** Leaves room for `r1._domainkey.` twice with the domain appended, and for addresses of bounces. */
const maxLength = 120;

/**
 * @param text  as people enter it, in any case and script
 * @param ownNames  hosts of this installation, such as those of PUBLIC_URL and BOUNCE_DOMAIN, in lower-case A-labels
 * @returns the domain in lower-case A-labels (UTS 46)
 */
export function readSendingDomain(
  text: string,
  ownNames: readonly string[],
): { domain: string } | { problem: DomainNameProblem } {
  const entered = text.trim().replace(/\.$/, '');
  if (isIP(entered.replaceAll(/^\[|\]$/g, '')) !== 0) return { problem: 'ip_address' };
  if (entered.length > 253 || /[\s/?#%@[\]:\\_*]/.test(entered)) return { problem: 'malformed' };
  // Numbers in other notations, such as 0x7f.1, become an address here.
  const domain = toALabels(entered);
  if (isIP(domain) !== 0) return { problem: 'ip_address' };
  const labels = domain.split('.');
  if (
    !labels.every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(label)) ||
    domain.length > maxLength
  )
    return { problem: 'malformed' };
  if (labels.length === 1) return { problem: 'single_label' };
  if (!/^(?:[a-z]{2,63}|xn--[a-z\d-]+)$/.test(labels.at(-1)!)) return { problem: 'malformed' };
  if (parse(domain, { allowPrivateDomains: true }).publicSuffix === domain)
    return { problem: 'public_suffix' };
  if (isAtOrBelow(domain, freeMailDomains)) return { problem: 'free_mail' };
  if (isAtOrBelow(domain, new Set(ownNames))) return { problem: 'own_name' };
  return { domain };
}

/** @returns the registrable domain, which is usually the zone in which the records of a domain are entered */
export const zoneOf = (domain: string): string => registrableDomainOf(domain) ?? domain;

/** @returns null for what has none, such as an address or `localhost`; a port does not matter */
export const registrableDomainOf = (host: string): string | null =>
  getDomain(host, { allowPrivateDomains: true });

const isAtOrBelow = (domain: string, names: ReadonlySet<string>): boolean =>
  domain.split('.').some((_label, index, labels) => names.has(labels.slice(index).join('.')));

/**
 * The largest providers only: packages with thousands of names also list domains of companies. The others lose nothing but
 * time, because their customers cannot add records there.
 */
const freeMailDomains: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com
   outlook.com outlook.de hotmail.com hotmail.de hotmail.co.uk hotmail.fr live.com live.de msn.com
   yahoo.com yahoo.de yahoo.co.uk yahoo.fr yahoo.co.jp ymail.com aol.com aol.de
   icloud.com me.com mac.com
   gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de mail.de posteo.de mailbox.org
   proton.me protonmail.com pm.me tutanota.com tuta.com hey.com fastmail.com zoho.com mail.com
   orange.fr wanadoo.fr free.fr laposte.net libero.it virgilio.it bluewin.ch
   mail.ru yandex.ru yandex.com qq.com 163.com 126.com naver.com comcast.net rediffmail.com`
    .split(/\s+/)
    .filter((name) => name !== ''),
);
