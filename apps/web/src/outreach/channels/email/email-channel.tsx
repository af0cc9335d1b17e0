import { IconMail } from '@tabler/icons-react';
import { lazy } from 'react';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import type { Channel } from '#web/outreach/channels/channel.ts';
import { SenderNote } from './sender-note.tsx';

const DesignPanel = lazy(() => loadChunk(() => import('./design-panel.tsx')));
const AudiencePanel = lazy(() => loadChunk(() => import('./audience-panel.tsx')));
const PreviewPanel = lazy(() => loadChunk(() => import('./preview-panel.tsx')));
const ReviewPanel = lazy(() => loadChunk(() => import('./review-panel.tsx')));

export const email: Channel = {
  icon: IconMail,
  pages: [
    { tab: 'design', isStep: true, Panel: DesignPanel },
    { tab: 'audience', isStep: true, Panel: AudiencePanel },
    { tab: 'preview', isStep: true, Panel: PreviewPanel },
    { tab: 'schedule', isStep: true, Panel: ReviewPanel },
    { tab: 'statistics', isStep: true },
    { tab: 'sends' },
    { tab: 'settings' },
  ],
  sentPages: [{ tab: 'statistics' }, { tab: 'receipt' }, { tab: 'sends' }, { tab: 'settings' }],
  Note: SenderNote,
};
