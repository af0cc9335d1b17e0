import { setTimeout } from 'node:timers/promises';
import { maxLogosLength, type DashboardOverview } from '@reachout/contract/dashboard.ts';
import type { ShowLogo } from '../../identity/storage/logo-preview.ts';

type Parts = Pick<DashboardOverview, 'work' | 'recent'>;

/** After this time, the screen loads the remaining logos by URL. Reads in progress are cached for the next response. */
const maxWaitMs = 1_000;

/**
 * Returns the logos of all brands in the rows, to replace one request per logo. Call it outside transactions,
 * because it reads files.
 */
export async function showBrandLogos(parts: Parts, showLogo: ShowLogo): Promise<Record<string, string>> {
  const shown: Record<string, string> = {};
  const add = async () => {
    let length = 0;
    // Sequential, because few images can be converted at the same time.
    for (const url of listLogoUrls(parts)) {
      const logo = await showLogo(url);
      if (logo === null || length + logo.length > maxLogosLength) continue;
      length += logo.length;
      shown[url] = logo;
    }
  };
  await Promise.race([add(), setTimeout(maxWaitMs, undefined, { ref: false })]);
  return { ...shown };
}

function listLogoUrls({ work, recent }: Parts): Set<string> {
  const sends = [...work.open, ...work.attention.flatMap((item) => ('send' in item ? [item.send] : []))];
  const rows = [...sends, ...recent.campaigns, ...recent.touchpoints, ...recent.sends];
  const urls = rows.flatMap(({ brand: { logo_url, dark_logo_url } }) => [logo_url, dark_logo_url]);
  return new Set(urls.filter((url) => url !== null));
}
