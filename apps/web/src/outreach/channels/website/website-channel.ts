import { IconWorld } from '@tabler/icons-react';
import { lazy } from 'react';
import { loadWebsiteTexts } from '#web/i18n/i18n.ts';
import type { Channel } from '#web/outreach/channels/channel.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';

/** With the texts, which only these parts need. */
const part = (name: 'Action' | 'Overview' | 'Settings') =>
  lazy(() =>
    loadChunk(async () => {
      const [{ parts }] = await Promise.all([import('./website-parts.ts'), loadWebsiteTexts()]);
      return { default: parts[name] };
    }),
  );

const pages = [
  { tab: 'overview', Panel: part('Overview') },
  { tab: 'statistics' },
  { tab: 'settings' },
] as const;

export const website: Channel = {
  icon: IconWorld,
  pages: () => pages,
  Action: part('Action'),
  Settings: part('Settings'),
};
