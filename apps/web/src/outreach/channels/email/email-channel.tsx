import { IconMail } from '@tabler/icons-react';
import { lazy } from 'react';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import type { Channel } from '#web/outreach/channels/channel.ts';
import { SenderNote } from './sender-note.tsx';

const ComposePanel = lazy(() => loadChunk(() => import('./compose-panel.tsx')));

/** From the confirmation on, the receipt shows what was confirmed, instead of the page on which it is written. */
export const email: Channel = {
  icon: IconMail,
  pages: (status) =>
    touchpointCan.edit({ type: 'email', status })
      ? [{ tab: 'email', Panel: ComposePanel }, { tab: 'statistics' }, { tab: 'sends' }, { tab: 'settings' }]
      : status === 'sent'
        ? [{ tab: 'statistics' }, { tab: 'receipt' }, { tab: 'sends' }, { tab: 'settings' }]
        : [{ tab: 'receipt' }, { tab: 'statistics' }, { tab: 'sends' }, { tab: 'settings' }],
  Note: SenderNote,
};
