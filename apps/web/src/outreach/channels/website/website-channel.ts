import { IconWorld } from '@tabler/icons-react';
import { lazy, type ComponentType } from 'react';
import { loadWebsiteTexts } from '#web/i18n/i18n.ts';
import type { Channel } from '#web/outreach/channels/channel.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';

type Loaded = Promise<{ default: ComponentType }>;

/** With the texts, which only these pages need. */
const withTexts = (load: () => Loaded) =>
  lazy(() => loadChunk(async () => (await Promise.all([load(), loadWebsiteTexts()]))[0]));

const Overview = withTexts(() => import('./website-overview.tsx'));

export const website: Channel = {
  icon: IconWorld,
  pages: () => [{ tab: 'overview', Panel: Overview }, { tab: 'settings' }],
  Action: withTexts(() => import('./website-action.tsx')),
  Settings: withTexts(() => import('./website-token.tsx')),
};
