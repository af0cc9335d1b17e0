import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { hasEnded } from '@reachout/contract/states/send.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { QuietText } from '#web/ui/text.ts';
import type { ExplainedState } from './send-legend.tsx';
import { sendOutcome, type SendCounters } from './send-outcome.ts';
import classes from './send-progress-bar.module.css';

// Lazy: the dashboard shows no legend.
const SendLegend = lazyPart(() => import('./send-legend.tsx'));

/** The states that need an explanation. */
const explainedStates = [
  'suppressed',
  'skipped',
  'cancelled',
  'uncertain',
] as const satisfies readonly ExplainedState[];

/** Sent is solid, bounced is hatched, failed is striped, excluded is plain gray; the legend below has labels and numbers. */
export function SendProgressBar({ send, compact = false }: { send: SendCounters; compact?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { percent, phase } = sendOutcome(send);
  const total = send.recipients_total_count;
  const unknown = phase === 'preparing' || (total === 0 && phase === 'moving');
  // The same labels as in the list of recipients below.
  const parts = [
    { key: 'sent', count: send.recipients_total_sent_count },
    { key: 'bounced', count: send.recipients_total_delivery_failed_count },
    { key: 'failed', count: send.recipients_total_failed_count },
    { key: 'suppressed', count: send.recipients_suppressed_count },
    { key: 'skipped', count: send.recipients_skipped_count },
    { key: 'cancelled', count: send.recipients_cancelled_count },
    { key: 'uncertain', count: send.recipients_uncertain_count },
    { key: 'queued', count: send.recipients_queued_count },
  ] as const;

  const explained = explainedStates.filter((state) =>
    parts.some(({ key, count }) => key === state && count > 0),
  );

  return (
    <div>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={t('sendProgress.label')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={unknown ? undefined : percent}
        aria-valuetext={unknown ? t('sendProgress.preparing') : format.percent(percent / 100)}
        data-unknown={unknown}
        data-compact={compact}
      >
        {!unknown &&
          parts
            .filter((part) => part.count > 0 && part.key !== 'queued')
            .map((part) => (
              <span
                key={part.key}
                className={classes.part}
                data-part={part.key}
                style={{ width: `${(part.count / Math.max(1, total)) * 100}%` }}
              />
            ))}
      </div>
      {!compact && (
        <Group gap="lg" mt="sm" component="ul" className="bare">
          {parts
            .filter(
              (part) => part.count > 0 || part.key === 'sent' || (part.key === 'queued' && !hasEnded(send)),
            )
            .map((part) => (
              <Group key={part.key} component="li" gap={8} wrap="nowrap">
                <span className={classes.swatch} data-part={part.key} aria-hidden />
                <QuietText span>{t(`status.${part.key}`)}</QuietText>
                <Text span size="sm" fw={650}>
                  {format.number(part.count)}
                </Text>
              </Group>
            ))}
        </Group>
      )}
      {!compact && explained.length > 0 && <SendLegend states={explained} />}
    </div>
  );
}
