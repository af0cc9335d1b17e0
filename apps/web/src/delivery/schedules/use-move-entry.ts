import type { Occurrence } from '@reachout/contract/schedules.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { notify, notifyFailure } from '#web/ui/notify.tsx';
import { useProblemText } from '#web/ui/problem-text.ts';
import { moveByDays } from './calendar-period.ts';

/** Moves an email that is scheduled once by whole days, and offers to undo it. */
export function useMoveEntry() {
  const { t } = useTranslation(['schedules', 'common']);
  const { api } = useOrganization();
  const plannedTime = usePlannedTime();
  const sayProblem = useProblemText();
  const update = useMutation(api.schedules.update.mutationOptions());
  const moveTo = async (entry: Occurrence, start_date: string): Promise<string | undefined> => {
    const { schedule_id: id, time_zone: timeZone, touchpoint } = entry;
    if (id === null || timeZone === null) return undefined;
    try {
      await update.mutateAsync({ id, start_date, time_zone: timeZone });
      return plannedTime(start_date, timeZone);
    } catch (error) {
      notifyFailure(`${t('moveFailed', { name: touchpoint.name })}: ${sayProblem(error)}`);
      return undefined;
    }
  };
  const moveBack = async (entry: Occurrence): Promise<void> => {
    const when = await moveTo(entry, entry.at);
    if (when !== undefined) notify(t('movedBack', { when }));
  };
  const move = async (entry: Occurrence, days: number): Promise<void> => {
    const at = moveByDays(entry.at, entry.time_zone ?? 'UTC', days);
    if (Date.parse(at) <= Date.now()) {
      notifyFailure(t('movePast', { name: entry.touchpoint.name }));
      return;
    }
    const when = await moveTo(entry, at);
    if (when === undefined) return;
    notify(t('moved', { when }), {
      label: t('common:actions.undo'),
      run: () => void moveBack(entry),
    });
  };
  return { move, movingId: update.isPending ? update.variables.id : undefined };
}
