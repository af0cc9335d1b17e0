import { IconWorld } from '@tabler/icons-react';
import type { Channel } from '#web/outreach/channels/channel.ts';

export const website: Channel = {
  icon: IconWorld,
  pages: () => [{ tab: 'settings' }],
};
