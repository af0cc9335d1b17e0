import type { Send } from '@reachout/contract/sends.ts';
import { listOccurrences, recurrenceFrom } from '@reachout/contract/rules/recurrence.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { schedulesQuery } from '#web/outreach/schedules/schedules-query.ts';
import { useRuleWords } from '#web/outreach/schedules/use-rule-words.ts';

/** Occurrences that are listed one by one. */
const listed = 4;

/** How a series goes on after one of its sends. */
export default function SeriesFacts({ send }: { send: Send }) {
  const { t } = useTranslation('schedules');
  const plannedTime = usePlannedTime();
  const { ruleWords } = useRuleWords();
  const { data } = useQuery(schedulesQuery(useOrganization(), send.touchpoint_id));
  const schedule = data?.find(({ id }) => id === send.schedule_id);
  if (!schedule?.next || schedule.rrule === null) return null;
  const series = recurrenceFrom(schedule, schedule.next.scheduled_date);
  const own = Math.max(Date.parse(send.send_date), Date.parse(send.occurrence_at ?? send.send_date));
  const coming = listOccurrences(series).filter((at) => Date.parse(at) > own);
  const rest = coming.length - listed;
  return (
    <>
      <div>
        <dt>{t('repeats')}</dt>
        <dd>{ruleWords({ ...series, rrule: series.rrule ?? schedule.rrule })}</dd>
      </div>
      {coming.length > 0 && (
        <div>
          <dt>{t('next')}</dt>
          <dd>
            {coming.slice(0, listed).map((at) => (
              <div key={at} style={{ padding: 0 }}>
                {plannedTime(at, schedule.time_zone)}
              </div>
            ))}
            {rest > 0 && t('more', { count: rest })}
          </dd>
        </div>
      )}
    </>
  );
}
