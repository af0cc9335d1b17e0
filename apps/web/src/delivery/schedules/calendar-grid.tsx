import {
  DndContext,
  DragOverlay,
  MouseSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { Skeleton, VisuallyHidden } from '@mantine/core';
import type { Occurrence } from '@reachout/contract/schedules.ts';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '#web/clients/brands/brand-mark.tsx';
import { useFormat, useTimeZone } from '#web/i18n/format.ts';
import { usePlannedTime } from '#web/i18n/planned-time.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { StatusMark, useStatusText } from '#web/ui/status-badge.tsx';
import { isDraggable, shownStatusOf } from './calendar-entry.ts';
import { CloseMark, EntryLink, EntryMenu } from './calendar-parts.tsx';
import { dayOf, daysBetween, type Day } from './calendar-period.ts';
import type { CalendarPeriod } from './calendar-query.ts';
import classes from './calendar.module.css';
import { useMoveEntry } from './use-move-entry.ts';

export interface EntriesProps {
  period: CalendarPeriod;
  /** In order of time. */
  entries: readonly Occurrence[];
  /** Keys of those that are close to another one of their brand. */
  close: ReadonlySet<string>;
  isLoading: boolean;
  onChangeTime: (entry: Occurrence) => void;
}

/** Entries of a day that a month shows. */
const shownPerDay = 4;

/** A month or a week, one column for each weekday. Emails that are scheduled once can be dragged to another day. */
export function CalendarGrid({ period, entries, close, isLoading, onChangeTime }: EntriesProps) {
  const { t } = useTranslation('schedules');
  const { locale } = useFormat();
  const timeZone = useTimeZone();
  const { can } = useOrganization();
  const { move, movingId } = useMoveEntry();
  const [dragged, setDragged] = useState<Occurrence>();
  // Only the mouse: on a touch screen, the finger scrolls.
  const sensors = useSensors(useSensor(MouseSensor, { activationConstraint: { distance: 6 } }));
  const { view, days, date, today } = period;
  const byDay = Map.groupBy(entries, ({ at }) => dayOf(at, timeZone));
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(7 * week, 7 * week + 7));
  const write = (day: Day, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' }).format(new Date(day));
  const canMove = can('send', 'Touchpoint');

  return (
    <DndContext
      sensors={sensors}
      onDragStart={({ active }) => setDragged(entries.find(({ key }) => key === active.id))}
      onDragCancel={() => setDragged(undefined)}
      onDragEnd={({ over }) => {
        setDragged(undefined);
        if (!dragged || !over) return;
        const moved = daysBetween(dayOf(dragged.at, timeZone), String(over.id));
        if (moved !== 0) void move(dragged, moved);
      }}
      accessibility={{ screenReaderInstructions: { draggable: '' }, container: document.body }}
    >
      <table className={classes.grid} data-view={view} aria-label={t('words.calendar')}>
        <thead>
          <tr>
            {weeks[0]!.map((day) => (
              <th key={day} scope="col">
                <VisuallyHidden>{write(day, { weekday: 'long' })}</VisuallyHidden>
                <span aria-hidden>{write(day, { weekday: 'short' })}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day, index) => {
                const all = byDay.get(day) ?? [];
                const shown =
                  view === 'month' && all.length > shownPerDay + 1 ? all.slice(0, shownPerDay) : all;
                const rest = all.length - shown.length;
                return (
                  <DayCell
                    key={day}
                    day={day}
                    isToday={day === today}
                    isOutside={view === 'month' && day.slice(0, 7) !== date.slice(0, 7)}
                    isDisabled={day < today}
                  >
                    <div className={classes.day}>
                      <VisuallyHidden>{write(day, { dateStyle: 'full' })}</VisuallyHidden>
                      <span aria-hidden className={classes.weekday}>
                        {write(day, { weekday: 'short' })}
                      </span>
                      <span aria-hidden>{Number(day.slice(8))}</span>
                    </div>
                    {isLoading && (Number(day.slice(8)) + index) % 3 === 0 && <Skeleton height={24} />}
                    {all.length > 0 && (
                      <ul className={classes.entries}>
                        {shown.map((entry) => (
                          <li key={entry.key}>
                            <Draggable entry={entry} isDisabled={!canMove}>
                              <Entry
                                entry={entry}
                                isClose={close.has(entry.key)}
                                isMoving={entry.schedule_id !== null && entry.schedule_id === movingId}
                                isWide={view === 'week'}
                              />
                              <EntryMenu entry={entry} size={24} onChangeTime={onChangeTime} />
                            </Draggable>
                          </li>
                        ))}
                        {rest > 0 && (
                          <li>
                            <LinkAnchor
                              to="."
                              search={(old) => ({ ...old, view: 'agenda', date: day })}
                              className={classes.more ?? ''}
                            >
                              {t('calendar.more', { count: rest })}
                            </LinkAnchor>
                          </li>
                        )}
                      </ul>
                    )}
                  </DayCell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className={classes.overlay}>
            <Entry entry={dragged} isClose={false} isMoving={false} isWide={view === 'week'} />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}

interface DayProps {
  day: Day;
  isToday: boolean;
  /** Whether it belongs to another month. */
  isOutside: boolean;
  /** Whether it has passed. */
  isDisabled: boolean;
  children: ReactNode;
}

function DayCell({ day, isToday, isOutside, isDisabled, children }: DayProps) {
  const { setNodeRef, isOver } = useDroppable({ id: day, disabled: isDisabled });
  return (
    <td
      ref={setNodeRef}
      aria-current={isToday ? 'date' : undefined}
      data-outside={isOutside || undefined}
      data-past={isDisabled || undefined}
      data-over={isOver || undefined}
    >
      {children}
    </td>
  );
}

interface DraggableProps {
  entry: Occurrence;
  isDisabled: boolean;
  children: ReactNode;
}

/** For the mouse only: its link and its menu are for the keyboard. */
function Draggable({ entry, isDisabled, children }: DraggableProps) {
  const disabled = isDisabled || !isDraggable(entry);
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: entry.key, disabled });
  return (
    <div
      ref={setNodeRef}
      {...(disabled ? {} : listeners)}
      className={classes.place}
      data-draggable={!disabled || undefined}
      data-dragging={isDragging || undefined}
    >
      {children}
    </div>
  );
}

interface EntryProps {
  entry: Occurrence;
  isClose: boolean;
  isMoving: boolean;
  /** Whether there is room for the brand. */
  isWide: boolean;
}

function Entry({ entry, isClose, isMoving, isWide }: EntryProps) {
  const { t } = useTranslation('schedules');
  const format = useFormat();
  const plannedTime = usePlannedTime();
  const statusText = useStatusText();
  const { brand, touchpoint, status } = entry;
  const state = entry.send_id === null ? t('calendar.planned') : statusText(shownStatusOf(entry));
  const hint = entry.send_id === null ? t('calendar.plannedHint') : state;
  return (
    <div
      className={classes.entry}
      data-brand-color={brand.color}
      data-status={status}
      aria-busy={isMoving || undefined}
      title={[touchpoint.name, brand.name, hint, plannedTime(entry.at, entry.time_zone)].join('\n')}
    >
      <EntryLink entry={entry}>
        <span className={classes.time}>{format.time(entry.at)}</span>
        <span className={classes.name}>{touchpoint.name}</span>
        <VisuallyHidden>{`, ${brand.name}, ${state}`}</VisuallyHidden>
        {isWide && (
          <span className={classes.brand} aria-hidden>
            <BrandMark brand={brand} size={18} /> {brand.name}
          </span>
        )}
      </EntryLink>
      {isClose && <CloseMark entry={entry} />}
      {/* What is to come as planned needs no mark. */}
      {entry.send_id !== null && status !== 'queued' && <StatusMark status={shownStatusOf(entry)} />}
    </div>
  );
}
