import { Skeleton, Title } from '@mantine/core';
import type { Occurrence } from '@reachout/contract/schedules.ts';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '#web/clients/brands/brand-mark.tsx';
import { useFormat, useTimeZone } from '#web/i18n/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { FinePrint } from '#web/ui/text.ts';
import { shownStatusOf } from './calendar-entry.ts';
import type { EntriesProps } from './calendar-grid.tsx';
import { CloseMark, EntryLink, EntryMenu } from './calendar-parts.tsx';
import { dayOf, daysBetween, type Day } from './calendar-period.ts';
import classes from './calendar.module.css';

/** The days of a period that have emails, one below the other, and how many days are between them. */
export function CalendarAgenda({ period, entries, close, isLoading, onChangeTime }: EntriesProps) {
  const { t } = useTranslation('schedules');
  const { locale } = useFormat();
  const timeZone = useTimeZone();
  if (isLoading) return <AgendaSkeleton />;
  const byDay = [...Map.groupBy(entries, ({ at }) => dayOf(at, timeZone))];
  const write = (day: Day) =>
    new Intl.DateTimeFormat(locale, {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(day));
  return (
    <div className={classes.agenda}>
      {byDay.map(([day, list], index) => {
        const gap = index === 0 ? 0 : daysBetween(byDay[index - 1]![0], day) - 1;
        return (
          <section key={day} aria-label={write(day)}>
            {gap > 0 && <FinePrint className={classes.gap}>{t('calendar.gap', { count: gap })}</FinePrint>}
            <Title
              order={2}
              size="sm"
              className={classes.heading}
              data-today={day === period.today || undefined}
            >
              {write(day)}
              {day === period.today && <span className="beside">{t('calendar.today')}</span>}
            </Title>
            <ul className={classes.list}>
              {list.map((entry) => (
                <AgendaEntry
                  key={entry.key}
                  entry={entry}
                  isClose={close.has(entry.key)}
                  onChangeTime={onChangeTime}
                />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

interface EntryProps {
  entry: Occurrence;
  isClose: boolean;
  onChangeTime: (entry: Occurrence) => void;
}

function AgendaEntry({ entry, isClose, onChangeTime }: EntryProps) {
  const { t } = useTranslation('schedules');
  const format = useFormat();
  const { brand, campaign, touchpoint, status, recipients } = entry;
  return (
    <li className={classes.row} data-status={status}>
      <span className={classes.time}>{format.time(entry.at)}</span>
      <BrandMark brand={brand} size={24} />
      <div className={classes.words}>
        <EntryLink entry={entry}>{touchpoint.name}</EntryLink> {isClose && <CloseMark entry={entry} />}
        <FinePrint component="div">
          {[brand.name, campaign.name, t('words.recipientCount', { count: recipients })].join(' · ')}
        </FinePrint>
      </div>
      <StatusBadge
        status={entry.send_id === null ? 'draft' : shownStatusOf(entry)}
        label={entry.send_id === null ? t('calendar.planned') : undefined}
      />
      <EntryMenu entry={entry} onChangeTime={onChangeTime} />
    </li>
  );
}

const AgendaSkeleton = () => (
  <div className={classes.agenda}>
    {[0, 1, 2, 3].map((day) => (
      <section key={day}>
        <div className={classes.heading}>
          <Skeleton height={12} width={144} my={4} />
        </div>
        <div className={classes.list}>
          <div className={classes.row}>
            <Skeleton height={12} width={40} />
            <Skeleton height={24} width={24} />
            <div className={classes.words}>
              <Skeleton height={12} width="40%" mb={8} />
              <Skeleton height={8} width="60%" />
            </div>
          </div>
        </div>
      </section>
    ))}
  </div>
);
