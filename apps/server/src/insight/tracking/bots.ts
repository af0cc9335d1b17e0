import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';

/**
 * Link scanners of mail gateways, preview clients and fetchers of mail programs that isbot classifies as browsers. A bare
 * "Mozilla/5.0" is Apple's Mail Privacy Protection; Gmail fetches ahead as Edge 12 with another "Mozilla/5.0" at the end.
 */
const mailBots =
  /^mozilla\/5\.0$|edge\/12\.246 mozilla\/5\.0$|yahoocachesystem|barracuda|proofpoint|mimecast|safelinks|trendmicro|fireeye|symantec|messagelabs|sophos|fortinet|fortigate|cloudmark|ironport|zscaler|forcepoint|bitdefender|existence discovery|skypeuripreview|preview|prefetch/i;

/** Proxies that fetch an image when a person opens a message: of Gmail, Yahoo and AOL, and HEY. */
const imageProxies = /googleimageproxy|yahoomailproxy|hey\.com\/imageproxy/i;

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Who requests an image or a link, judging by its headers only. An image proxy hides the reader, keeps copies and fetches
 * them again, so that only its first request for a message says that a person opened it.
 */
export function readRequester(headers: IncomingHttpHeaders): Requester {
  const isAhead = prefetchHeaders.some(
    (name) => headers[name] !== undefined && /prefetch|preview|prerender/i.test(String(headers[name])),
  );
  return isAhead ? 'bot' : requesterOf(headers['user-agent'] ?? '');
}

type Requester = 'person' | 'image_proxy' | 'bot';

/** Requesters by user agent: the patterns take longer than the rest of a request, and few user agents make most requests. */
const requesters = new LRUCache<string, Requester>({ max: 1_000 });

function requesterOf(userAgent: string): Requester {
  const known = requesters.get(userAgent);
  if (known !== undefined) return known;
  const requester = classify(userAgent.trim());
  requesters.set(userAgent, requester);
  return requester;
}

function classify(userAgent: string): Requester {
  if (imageProxies.test(userAgent)) return 'image_proxy';
  return userAgent === '' || mailBots.test(userAgent) || isbot(userAgent) ? 'bot' : 'person';
}

/** People rarely open more links of an email within the window; scanners open all. */
const linksOfAPerson = 2;
const windowMs = 10_000;
const rememberedDeliveries = 10_000;

/**
 * Detects scanners with a browser's user agent: from the third distinct link of a message within ten seconds on, clicks
 * count as a bot's. The state is in this process' memory, so that no click waits for a read. The first two clicks of such a
 * scanner count as a person's until they are looked at again (`review_clicks`).
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
