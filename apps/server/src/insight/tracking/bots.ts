import type { IncomingHttpHeaders } from 'node:http';

/**
 * Programs that fetch images or links without a person: privacy proxies, link scanners, previews, crawlers, libraries.
 * A bare "Mozilla/5.0" is Apple's Mail Privacy Protection.
 */
const machines =
  /^mozilla\/5\.0$|googleimageproxy|ggpht\.com|yahoomailproxy|yahoocachesystem|barracuda|proofpoint|mimecast|safelinks|trendmicro|fireeye|symantec|messagelabs|sophos|fortinet|fortigate|cloudmark|ironport|zscaler|forcepoint|bitdefender|virustotal|urlscan|microsoft office (?:existence|protocol) discovery|existence discovery|skypeuripreview|bingpreview|facebookexternalhit|(?<!cu)bot\b|crawl|spider|slurp|scanner|preview|prefetch|headless|phantomjs|monitor|curl\/|wget\/|python|libwww|lwp|java\/|okhttp|go-http-client|apache-httpclient|node-fetch|axios|undici|ruby|php\//i;

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether a request comes from a machine, as far as the request alone can tell. */
export function isAutomatic(headers: IncomingHttpHeaders): boolean {
  const userAgent = headers['user-agent']?.trim() ?? '';
  if (userAgent === '' || machines.test(userAgent)) return true;
  return prefetchHeaders.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? '')));
}

/** People rarely open more links of a mail in one go; scanners open all. */
const linksOfAPerson = 2;
const windowMs = 10_000;
const rememberedDeliveries = 10_000;

/**
 * Tells scanners with the user agent of a browser: from the third distinct link of one message within ten seconds on,
 * clicks are automatic. Kept in memory of this process, so that no click waits for a read; the first
 * two clicks of such a scanner stay counted as a person's.
 */
export function createScanDetector(): (delivery: string, linkNo: number, nowMs: number) => boolean {
  const recent = new Map<string, { links: Set<number>; sinceMs: number }>();
  return (delivery, linkNo, nowMs) => {
    let entry = recent.get(delivery);
    if (entry === undefined || nowMs - entry.sinceMs > windowMs) {
      entry = { links: new Set(), sinceMs: nowMs };
      recent.delete(delivery);
      recent.set(delivery, entry);
      if (recent.size > rememberedDeliveries) recent.delete(recent.keys().next().value!);
    }
    // Only as many as decide: a scanner may know thousands of numbers.
    if (entry.links.size <= linksOfAPerson) entry.links.add(linkNo);
    return entry.links.size > linksOfAPerson;
  };
}
