import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

/**
 * Mail proxies, link scanners of mail gateways and preview clients that isbot classifies as browsers. A bare "Mozilla/5.0"
 * is Apple's Mail Privacy Protection.
 */
const mailProxies =
  /^mozilla\/5\.0$|googleimageproxy|ggpht\.com|yahoomailproxy|yahoocachesystem|barracuda|proofpoint|mimecast|safelinks|trendmicro|fireeye|symantec|messagelabs|sophos|fortinet|fortigate|cloudmark|ironport|zscaler|forcepoint|bitdefender|existence discovery|skypeuripreview|preview|prefetch/i;

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether a request comes from a bot, judging by its headers only. */
export function isBot(headers: IncomingHttpHeaders): boolean {
  const userAgent = headers['user-agent']?.trim() ?? '';
  if (userAgent === '' || mailProxies.test(userAgent) || isbot(userAgent)) return true;
  return prefetchHeaders.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? '')));
}

/** People rarely open more links of an email within the window; scanners open all. */
const linksOfAPerson = 2;
const windowMs = 10_000;
const rememberedDeliveries = 10_000;

/**
 * Detects scanners with a browser's user agent: from the third distinct link of a message within ten seconds on, clicks
 * count as a bot's. The state is in this process' memory, so that no click waits for a read. The first two clicks of such a
 * scanner remain counted as a person's.
 */
export function createScanDetector(): (delivery: string, linkNo: number, nowMs: number) => boolean {
  const recent = new LRUCache<string, { links: Set<number>; sinceMs: number }>({ max: rememberedDeliveries });
  return (delivery, linkNo, nowMs) => {
    let entry = recent.get(delivery);
    if (entry === undefined || nowMs - entry.sinceMs > windowMs) {
      entry = { links: new Set(), sinceMs: nowMs };
      recent.set(delivery, entry);
    }
    // Stores no more links than needed for the decision: a scanner may try thousands of link numbers.
    if (entry.links.size <= linksOfAPerson) entry.links.add(linkNo);
    return entry.links.size > linksOfAPerson;
  };
}
