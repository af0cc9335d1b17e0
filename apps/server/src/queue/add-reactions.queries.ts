import type { CauseType } from '@reachout/contract/rules/event-graph.ts';
import {
  execute,
  onlyValueOf,
  rowsOf,
  type Database,
  type Transaction,
} from '../platform/database/database.ts';

/** An event of a person that touchpoints may react to (`cause` in db/migrations). */
export interface PersonCause {
  organization_id: string;
  type: CauseType;
  /** The form or the collection. */
  source: string;
  /** Only for this event. */
  touchpoint_event_id?: string;
  /** Tells the causes of a contact apart. */
  key: string;
  at: string;
  collection: string;
  contact_id: string;
  /** The field. */
  detail?: string;
}

/** Stores what listeners make of events of people; what is there already is not stored again. */
export const addReactions = (trx: Transaction, causes: readonly PersonCause[]) => execute(trx)`
  select add_reactions(array(select c from json_populate_recordset(null::cause, ${JSON.stringify(causes)}::json) c))
`;

/** Does so with what happened in the last days that an event is about. */
export const addPastReactions = (
  trx: Transaction,
  organizationId: string,
  eventId: string,
  days: number,
) => execute(trx)`
  select add_reactions(array(
    select c from past_causes(${organizationId}, array[${eventId}::uuid], now() - make_interval(days => ${days}), 10000) c
  ))
`;

/** Does so with contacts that were added or changed, of all organizations. @returns how many were taken */
export const takeContactChanges = (db: Database, maxRows: number) =>
  onlyValueOf<number>(db)`select take_contact_changes(${maxRows})`;

/** An event that begins with a date, and a day on which nobody has looked yet which contacts reach it. */
export interface DueDate {
  organization_id: string;
  touchpoint_event_id: string;
  collection: string;
  field: string;
  days: number;
  is_yearly: boolean;
  /** `2026-12-01`, where the brand is. */
  day: string;
}

/** @param skipped  events that are left out */
export const listDueDates = (db: Database, skipped: readonly string[] = []) =>
  rowsOf<DueDate>(
    db,
  )`select organization_id, touchpoint_event_id, collection, field, days, is_yearly, day::text from due_dates(${skipped}::uuid[])`;

/** Stores what listeners make of the built-in contacts that reach a date. */
export const addReachedDates = (
  trx: Transaction,
  { organization_id, touchpoint_event_id, collection, field, days, is_yearly, day }: DueDate,
) => execute(trx)`
  select add_reached_dates(${organization_id}, ${touchpoint_event_id}, ${collection}, ${field}, ${days}, ${is_yearly}, ${day}::date)
`;
