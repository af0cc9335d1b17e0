import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

/**
 * Mail proxies, link scanners of mail gateways and previews that isbot takes for browsers. A bare "Mozilla/5.0" is Apple's
 * Mail Privacy Protection.
 */
const mailProxies =
  /^mozilla\/5\.0$|googleimageproxy|ggpht\.com|yahoomailproxy|yahoocachesystem|barracuda|proofpoint|mimecast|safelinks|trendmicro|fireeye|symantec|messagelabs|sophos|fortinet|fortigate|cloudmark|ironport|zscaler|forcepoint|bitdefender|existence discovery|skypeuripreview|preview|prefetch/i;

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether a request comes from a machine, as far as the request alone can tell. */
export function isBot(headers: IncomingHttpHeaders): boolean {
  const userAgent = headers['user-agent']?.trim() ?? '';
  if (userAgent === '' || mailProxies.test(userAgent) || isbot(userAgent)) return true;
  return prefetchHeaders.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? '')));
}

/** People rarely open more links of a mail in one go; scanners open all. */
const linksOfAPerson = 2;
const windowMs = 10_000;
const rememberedDeliveries = 10_000;

/**
 * Tells scanners with the user agent of a browser: from the third distinct link of one message within ten seconds on,
 * clicks are by a bot. Kept in memory of this process, so that no click waits for a read; the first
 * two clicks of such a scanner stay counted as a person's.
 */
export function createScanDetector(): (delivery: string, linkNo: number, nowMs: number) => boolean {
  const recent = new LRUCache<string, { links: Set<number>; sinceMs: number }>({ max: rememberedDeliveries });
  return (delivery, linkNo, nowMs) => {
    let entry = recent.get(delivery);
    if (entry === undefined || nowMs - entry.sinceMs > windowMs) {
      entry = { links: new Set(), sinceMs: nowMs };
      recent.set(delivery, entry);
    }
    // Only as many as decide: a scanner may know thousands of numbers.
    if (entry.links.size <= linksOfAPerson) entry.links.add(linkNo);
    return entry.links.size > linksOfAPerson;
  };
}
