import { Text } from '@mantine/core';
import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { IconApi } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { DisabledWithTooltip } from '#web/ui/disabled-with-tooltip.tsx';
import type { FixTarget } from './review-checklist.tsx';

// Lazy: most emails go to an audience.
const OnRequestDialog = lazy(() => loadChunk(() => import('./on-request-dialog.tsx')));

interface Props {
  /** Of the review that is shown. */
  version: string;
  /** Why what is seen is not what would be sent. */
  unseen: string | undefined;
  onFix: (target: FixTarget) => void;
}

/** The other way to send an email: without an audience, each message when a program requests it. */
export function OnRequest({ version, unseen, onFix }: Props) {
  const { t } = useTranslation(['delivery', 'touchpoints']);
  const { can, canEver } = useOrganization();
  const { touchpoint } = useTouchpoint();
  const [isOpen, setOpen] = useState(false);
  if (!canEver('send', 'Touchpoint')) return null;
  const reason = !can('send', 'Touchpoint')
    ? t('touchpoints:review.noPermission')
    : touchpointCan.activate(touchpoint)
      ? unseen
      : t('touchpoints:review.archived');
  return (
    <div>
      <DisabledWithTooltip
        variant="subtle"
        size="compact-sm"
        reason={reason}
        leftSection={<IconApi size={18} stroke={1.75} />}
        onClick={() => setOpen(true)}
      >
        {t('onRequest.offer')}
      </DisabledWithTooltip>
      <Text size="sm" c="dimmed">
        {t('onRequest.offerHint')}
      </Text>
      {isOpen && (
        <Suspense fallback={null}>
          <OnRequestDialog version={version} onFix={onFix} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
