import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import type { Channel } from '#web/outreach/channels/channel.ts';

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

/** The sender name that recipients will see. */
function SenderNote() {
  const { t } = useTranslation('touchpoints');
  const { api } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const { data } = useQuery(api.touchpoints.getEmail.queryOptions({ input: { id: touchpoint.id } }));
  return data && (data.from_email ? t('from', { address: data.from_email }) : t('noSender'));
}
