import { IconMail } from '@tabler/icons-react';
import { lazy } from 'react';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import type { Channel } from '#web/outreach/channels/channel.ts';
import { SenderNote } from './sender-note.tsx';

const ComposePanel = lazy(() => loadChunk(() => import('./compose-panel.tsx')));

const writing = { tab: 'email', Panel: ComposePanel } as const;
const further = [{ tab: 'statistics' }, { tab: 'sends' }, { tab: 'settings' }] as const;

/**
 * From the confirmation on, the receipt shows what was confirmed, instead of the page on which the email is written. That is
 * the second one until the email goes out.
 */
export const email: Channel = {
  icon: IconMail,
  pages: ({ status, is_planned }) =>
    touchpointCan.edit({ type: 'email', status })
      ? [writing, ...further]
      : status === 'sent'
        ? [{ tab: 'statistics' }, { tab: 'receipt' }, { tab: 'sends' }, { tab: 'settings' }]
        : [{ tab: 'receipt' }, ...(is_planned ? [writing] : []), ...further],
  Note: SenderNote,
};
