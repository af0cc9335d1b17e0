import {
  findFirstOccurrence,
  listOccurrences,
  presetRule,
  recurrencePresets,
  resolveLocalTime,
  type Recurrence,
  type RecurrencePreset,
} from '@reachout/contract/rules/recurrence.ts';
import { maxOccurrences, type RuleProblem } from '@reachout/contract/rules/rrule.ts';
import { wallTimeOf } from '#web/i18n/zoned-time.ts';

/** What the fields of a schedule contain. */
export interface PlanValues {
  /** `2027-03-09`; empty while it is incomplete. */
  date: string;
  /** `09:00`; empty while it is incomplete. */
  time: string;
  /** IANA name. */
  timeZone: string;
  /** Which of the two, for a time that occurs twice because the clock is set back. */
  hour: 'first' | 'second' | undefined;
  repeat: 'once' | RecurrencePreset | 'custom';
  /** The rule as typed, for `custom`. */
  rrule: string;
  end: PlanEnd;
  /** The last day, for `on`. */
  endDate: string;
  /** For `after`. */
  endCount: number | undefined;
}

export const planEnds = ['never', 'on', 'after'] as const;
export type PlanEnd = (typeof planEnds)[number];

/** A time that can be scheduled. */
export interface Planned extends Recurrence {
  /** In order. */
  occurrences: string[];
  /** Both times, if the clock shows it twice. */
  twice?: Twice;
}

interface Twice {
  at: string;
  later: string;
}

/** If the values cannot be scheduled, the first thing that is wrong with them. */
export type Plan = Planned | PlanProblem;

export type PlanProblem = { field: 'date' | 'time' | 'rrule' | 'endDate' | 'endCount' } &
  /** `taken`: an item that was queued before has each of the times. */
  (
    | { problem: 'missing' | 'past' | 'far' | 'beforeStart' | 'tooMany' | 'taken' }
    | { problem: 'rule'; rule: RuleProblem }
    /** The clock skips this time. `at`: the next one that exists. */
    | { problem: 'skipped'; at: string }
    /** The clock shows this time twice, and none was chosen. */
    | ({ problem: 'twice' } & Twice)
  );

export const isPlanned = (plan: Plan): plan is Planned => 'occurrences' in plan;

/** Plans further ahead are rejected: apps/server/src/delivery/schedules/create-schedule.ts. */
const maxYearsAhead = 2;

export function readPlan(values: PlanValues, now: Date): Plan {
  const { date, time, timeZone, hour, repeat } = values;
  if (date === '') return { field: 'date', problem: 'missing' };
  if (time === '') return { field: 'time', problem: 'missing' };
  const resolved = resolveLocalTime(`${date}T${time}`, timeZone);
  if (resolved.exists === 'never') return { field: 'time', problem: 'skipped', at: resolved.at };
  // Of a repeated time the first one is meant, on every such day.
  const twice =
    resolved.exists === 'twice' && repeat === 'once' ? { at: resolved.at, later: resolved.later } : undefined;
  if (twice !== undefined && hour === undefined) return { field: 'time', problem: 'twice', ...twice };
  const start_date = twice !== undefined && hour === 'second' ? twice.later : resolved.at;
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + maxYearsAhead);
  if (Date.parse(start_date) > latest.getTime()) return { field: 'date', problem: 'far' };
  if (Date.parse(start_date) <= now.getTime())
    return { field: date < wallTimeOf(now, timeZone).slice(0, 10) ? 'date' : 'time', problem: 'past' };
  const start = { start_date, time_zone: timeZone };
  if (repeat === 'once') return { ...start, rrule: null, occurrences: [start_date], ...(twice && { twice }) };
  const rrule = repeat === 'custom' ? readRule(values.rrule) : withEnd(presetRule(repeat, start), values);
  if (typeof rrule !== 'string') return rrule;
  const first = findFirstOccurrence({ ...start, rrule });
  if (typeof first !== 'string')
    return values.end === 'on' && repeat !== 'custom'
      ? { field: 'endDate', problem: 'beforeStart' }
      : { field: 'rrule', problem: 'rule', rule: first };
  return { ...start, rrule, occurrences: listOccurrences({ ...start, rrule }) };
}

/** A rule as other programs write it: with its name, in small letters, or with a semicolon at the end. */
function readRule(typed: string): string | PlanProblem {
  const rule = typed
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .replace(/;$/, '');
  return rule === '' ? { field: 'rrule', problem: 'missing' } : rule;
}

function withEnd(rule: string, { date, end, endDate, endCount }: PlanValues): string | PlanProblem {
  if (end === 'never') return rule;
  if (end === 'on') {
    if (endDate === '') return { field: 'endDate', problem: 'missing' };
    if (endDate < date) return { field: 'endDate', problem: 'beforeStart' };
    return `${rule};UNTIL=${endDate.replaceAll('-', '')}`;
  }
  if (endCount === undefined || endCount < 1) return { field: 'endCount', problem: 'missing' };
  return endCount > maxOccurrences ? { field: 'endCount', problem: 'tooMany' } : `${rule};COUNT=${endCount}`;
}

/** A rule as one of the presets and its end; `custom` if it is none of them. */
export function parseRule(
  recurrence: Recurrence,
): Pick<PlanValues, 'repeat' | 'end' | 'endDate' | 'endCount'> {
  const { rrule, time_zone: timeZone } = recurrence;
  const noEnd = { end: 'never', endDate: '', endCount: undefined } as const;
  if (rrule === null) return { repeat: 'once', ...noEnd };
  const [, rule, name, value = ''] = /^(.*?)(?:;(COUNT|UNTIL)=([^;]+))?$/.exec(rrule) ?? [];
  const repeat = recurrencePresets.find((preset) => presetRule(preset, recurrence) === rule) ?? 'custom';
  if (repeat === 'custom' || name === undefined) return { repeat, ...noEnd };
  if (name === 'COUNT') return { repeat, ...noEnd, end: 'after', endCount: Number(value) };
  const [, day, clock] = /^(\d{8})(?:T(\d{6})Z?)?$/.exec(value) ?? [];
  if (day === undefined) return { repeat: 'custom', ...noEnd };
  const date = day.replace(/(....)(..)(..)/, '$1-$2-$3');
  const endDate =
    clock === undefined || !value.endsWith('Z')
      ? date
      : wallTimeOf(`${date}T${clock.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`, timeZone).slice(0, 10);
  return { repeat, ...noEnd, end: 'on', endDate };
}

/** The values of a schedule, to be changed. */
export function valuesOf(recurrence: Recurrence): PlanValues {
  const at = recurrence.start_date;
  const wallTime = wallTimeOf(at, recurrence.time_zone);
  const date = wallTime.slice(0, 10);
  const time = wallTime.slice(11, 16);
  const resolved = resolveLocalTime(`${date}T${time}`, recurrence.time_zone);
  return {
    date,
    time,
    timeZone: recurrence.time_zone,
    hour:
      resolved.exists !== 'twice'
        ? undefined
        : Date.parse(resolved.at) === Date.parse(at)
          ? 'first'
          : 'second',
    rrule: recurrence.rrule ?? '',
    ...parseRule(recurrence),
  };
}

/** What the fields contain at first: tomorrow morning. */
export function firstValues(now: Date, timeZone: string): PlanValues {
  const tomorrow = new Date(`${wallTimeOf(now, timeZone).slice(0, 10)}T00:00Z`);
  tomorrow.setUTCDate(tomorrow.getUTCDate() + 1);
  return {
    date: tomorrow.toISOString().slice(0, 10),
    time: '09:00',
    timeZone,
    hour: undefined,
    repeat: 'once',
    rrule: '',
    end: 'never',
    endDate: '',
    endCount: undefined,
  };
}
