import { setTimeout } from 'node:timers/promises';
import { maxLogosLength, type DashboardOverview } from '@reachout/contract/dashboard.ts';
import type { ShowLogo } from '../../identity/images/logo-preview.ts';

type Parts = Pick<DashboardOverview, 'work' | 'recent'>;

/** Then brands are shown by their files; what is still read is remembered for the next response. */
const maxWaitMs = 1_000;

/**
 * The logos of all brands in the rows: one response instead of a request for each. To be called outside of a transaction,
 * because it reads files.
 */
export async function showBrandLogos(parts: Parts, showLogo: ShowLogo): Promise<Record<string, string>> {
  const shown: Record<string, string> = {};
  const add = async () => {
    let length = 0;
    // One after the other: few images are converted at once.
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
