import { touchpointCan } from '@reachout/contract/states/touchpoint.ts';
import { IconApi } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { DisabledWithTooltip } from '#web/ui/disabled-with-tooltip.tsx';
import { QuietText } from '#web/ui/text.ts';
import type { FixTarget } from './review-checklist.tsx';

// Lazy: most emails go to an audience.
const OnRequestDialog = lazyPart(() => import('./on-request-dialog.tsx'));

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
        leftSection={<IconApi size={18} />}
        onClick={() => setOpen(true)}
      >
        {t('onRequest.offer')}
      </DisabledWithTooltip>
      <QuietText>{t('onRequest.offerHint')}</QuietText>
      {isOpen && <OnRequestDialog version={version} onFix={onFix} onClose={() => setOpen(false)} />}
    </div>
  );
}
