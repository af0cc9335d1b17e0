import type { Send } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { useTranslation } from 'react-i18next';
import { isPlanned } from '#web/delivery/sends/send-outcome.ts';
import { useSendChanges } from '#web/delivery/sends/use-send-changes.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { ActionError } from '#web/ui/states.tsx';

/** The next action on an open send: undo, pause or resume. Other actions are on its page. */
export function SendControl({ send }: { send: Send }) {
  const { t } = useTranslation('sends');
  const { undo, pause, resume } = useSendChanges(send);
  const isPast = new Date(send.send_date).getTime() <= useNow(send.status === 'held');
  const step =
    sendCan.undo(send) && !isPlanned(send)
      ? { label: t('cancel'), change: undo }
      : sendCan.resume(send)
        ? { label: t(send.status === 'held' && isPast ? 'sendNow' : 'resume'), change: resume }
        : {
            label: t('pause'),
            change: pause,
            reason: sendCan.pause(send) || sendCan.hold(send) ? undefined : t('pauseLater'),
          };
  return (
    <div>
      <PermittedButton
        permission={['send', 'Touchpoint']}
        size="xs"
        variant="default"
        reason={step.reason}
        loading={step.change.isPending}
        aria-label={`${step.label}: ${send.touchpoint.name}`}
        onClick={() => step.change.mutate({ id: send.id })}
      >
        {step.label}
      </PermittedButton>
      <ActionError error={step.change.error} />
    </div>
  );
}
