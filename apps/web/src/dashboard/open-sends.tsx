import { Group, Text } from '@mantine/core';
import type { DashboardWork } from '@reachout/contract/dashboard.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { sendCan } from '@reachout/contract/states/send.ts';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '#web/clients/brands/brand-mark.tsx';
import { SendPace, useSendWords } from '#web/delivery/sends/send-words.tsx';
import { SendProgressBar } from '#web/delivery/sends/send-progress-bar.tsx';
import { isPlanned } from '#web/delivery/sends/send-outcome.ts';
import { useSendChanges } from '#web/delivery/sends/use-send-changes.ts';
import { useFormat } from '#web/i18n/format.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { FinePrint } from '#web/ui/text.ts';
import { useNow } from '#web/ui/use-now.ts';
import { WorkCard } from './work-card.tsx';
import classes from './recent-card.module.css';

// Lazy: most of the time nothing is scheduled.
const PlannedWords = lazy(() => loadChunk(() => import('./planned-words.tsx')));

/** Live state of the sends that are queued, running or paused. */
export function OpenSends({ work: { open, open_count: count } }: { work: DashboardWork }) {
  const { t } = useTranslation(['dashboard', 'shell']);
  const format = useFormat();
  const { orgId } = useOrganization();
  const rest = count - open.length;
  const waiting = open.filter((send) => sendCan.undo(send)).length;
  const title = waiting === 0 ? 'sending' : waiting === open.length ? 'scheduled' : 'both';
  return (
    <WorkCard
      title={t(`open.${title}`)}
      tone="marine"
      more={
        <Group gap="sm">
          {rest > 0 && t('more', { number: format.number(rest) })}
          {waiting > 0 && (
            <LinkAnchor to="/o/$orgId/calendar" params={{ orgId }}>
              {t('words.calendar')}
            </LinkAnchor>
          )}
        </Group>
      }
    >
      {open.map((send) => (
        <OpenSend key={send.id} send={send} />
      ))}
    </WorkCard>
  );
}

function OpenSend({ send }: { send: Send }) {
  const words = useSendWords(send, true);
  return (
    <li className={classes.row}>
      <BrandMark brand={send.brand} />
      <div className={classes.words}>
        <div className={classes.line}>
          <LinkAnchor
            to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
            params={{ orgId: send.organization_id, touchpointId: send.touchpoint_id, sendId: send.id }}
            fw={500}
            data-row-link
          >
            {send.touchpoint.name}
          </LinkAnchor>
          <FinePrint span>{send.brand.name}</FinePrint>
        </div>
        {/* What has not started has no progress. */}
        {!sendCan.undo(send) && (
          <div className={classes.progress}>
            <SendProgressBar send={send} compact />
          </div>
        )}
        <div className={classes.line}>
          <Text span size="sm">
            {send.status === 'queued' && isPlanned(send) ? (
              <Suspense fallback={words}>
                <PlannedWords send={send} />
              </Suspense>
            ) : (
              words
            )}
          </Text>
          {send.status === 'sending' && <SendPace send={send} />}
        </div>
      </div>
      <SendControl send={send} />
    </li>
  );
}

/** The next action on an open send: undo, pause or resume. Other actions are on its page. */
function SendControl({ send }: { send: Send }) {
  const { t } = useTranslation('sends');
  const { undo, pause, resume } = useSendChanges(send);
  const isPast = new Date(send.send_date).getTime() <= useNow(send.status === 'held');
  const step =
    sendCan.undo(send) && !isPlanned(send)
      ? { label: t('words.cancelSend'), change: undo }
      : sendCan.resume(send)
        ? { label: t(send.status === 'held' && isPast ? 'words.sendNow' : 'words.resume'), change: resume }
        : {
            label: t('words.pause'),
            change: pause,
            reason: sendCan.pause(send) || sendCan.hold(send) ? undefined : t('pauseLater'),
          };
  return (
    <div>
      <PermittedButton
        permission={['send', 'Touchpoint']}
        size="xs"
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
