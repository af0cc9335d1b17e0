import { firstRowOf, type Database, type Row } from '../../../platform/database/database.ts';

export interface WebsiteRow {
  organizationId: string;
  touchpointId: string;
  token: string;
  /** `example.com`, `localhost:3000`, `*.example.com` for all hosts below it. */
  hosts: string[];
  /** Of its touchpoint. */
  status: string;
  goals: StoredGoal[];
  /** Of its latest day, in days since 1970-01-01 (UTC); null before the first event. */
  usedDay: number | null;
  usedEvents: number | null;
  usedBytes: number | null;
  /** Of its organization; null for the default. */
  eventLimit: number | null;
  megabyteLimit: number | null;
}

/** `event` is the name of a TRACK event. */
type StoredGoal = Row<'conversion_goals', 'id' | 'event' | 'window_days' | 'created_at'> & {
  value: number | null;
};

/** Finds a website that is not deleted, of an active organization. */
export const findWebsite = (db: Database, id: string) => firstRowOf<WebsiteRow>(db)`
  select organization_id as "organizationId", touchpoint_id as "touchpointId", token, hosts, status, goals,
    used_day as "usedDay", used_events as "usedEvents", used_bytes as "usedBytes", event_limit as "eventLimit",
    megabyte_limit as "megabyteLimit"
  from website_by_id(${id})
`;
