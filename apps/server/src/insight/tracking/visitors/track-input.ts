import { maxEventNameLength, maxGoalValue } from '@reachout/contract/rules/conversions.ts';
import { visitorEventTypes, type VisitorEventType } from '@reachout/contract/states/website.ts';
import { invalidInput } from '../../../platform/http/api-error.ts';
import { isUuid } from '../../../platform/ids.ts';
import { maxUrlLength } from './stored-address.ts';

/** An event as a tracking client describes it; docs/tracking.md has its fields. Texts that are missing or empty are null. */
export interface TrackInput {
  type: VisitorEventType;
  /** Milliseconds since 1970. */
  timestamp: number;
  /** Null if the client made none. */
  event_id: string | null;
  anonymous_id: string;
  url: string;
  /** The fragment, which may be missing in the address. */
  hash: string | null;
  /** Address of the page, if the website says which one it is. */
  page: string | null;
  event: string | null;
  user_id: string | null;
  collection: string | null;
  title: string | null;
  referrer: string | null;
  language: string | null;
  width: number | null;
  height: number | null;
  ctm_aid: string | null;
  /** Of a conversion, in the currency of the organization. */
  value: number | null;
}

const maxEvents = 50;
const maxNameLength = 255;
const maxPartLength = 1_024;
/** In CSS pixels. */
const maxSize = 100_000;

/**
 * Reads the body of a request: one event, or a list of them. Unknown fields are ignored, so that newer clients can be used with
 * an older server. This is no schema of zod, which takes ten times as long: it runs for each event.
 * @throws 422 `invalid_input`, with the place and the field that is not valid
 */
export function readEvents(body: unknown): TrackInput[] {
  if (!Array.isArray(body)) return [readEvent(body, '')];
  if (body.length === 0 || body.length > maxEvents) throw invalidInput('', `Send 1 to ${maxEvents} events.`);
  return body.map((item, index) => readEvent(item, `${index}.`));
}

function readEvent(input: unknown, place: string): TrackInput {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidInput(place.slice(0, -1), 'An event is an object.');
  const fields = input as Readonly<Record<string, unknown>>;
  const type = visitorEventTypes.find((known) => known === fields['type']);
  if (type === undefined) throw invalidInput(`${place}type`, 'Use VIEW_PAGE, IDENTIFY or TRACK.');
  const text = (name: string, max: number) => readText(fields, place, name, max);
  const required = (name: string, max: number) => {
    const value = text(name, max);
    if (value === null) throw invalidInput(`${place}${name}`, `${type} needs this.`);
    return value;
  };
  // They are in the address.
  for (const name of ['path', 'search']) text(name, maxPartLength);
  return {
    type,
    timestamp: readTime(fields['timestamp'], `${place}timestamp`),
    event_id: fields['event_id'] === undefined ? null : readId(fields['event_id'], `${place}event_id`),
    anonymous_id: readId(fields['anonymous_id'], `${place}anonymous_id`),
    url: required('url', maxUrlLength),
    hash: text('hash', maxPartLength),
    page: text('page', maxPartLength),
    event: type === 'TRACK' ? required('event', maxEventNameLength) : null,
    user_id: type === 'IDENTIFY' ? required('user_id', maxNameLength) : text('user_id', maxNameLength),
    collection:
      type === 'IDENTIFY' ? required('collection', maxNameLength) : text('collection', maxNameLength),
    title: text('title', maxPartLength),
    referrer: text('referrer', maxUrlLength),
    language: text('language', 35),
    width: readSize(fields['width'], `${place}width`),
    height: readSize(fields['height'], `${place}height`),
    ctm_aid: text('ctm_aid', maxNameLength),
    value: readValue(fields['value'], `${place}value`),
  };
}

/**
 * A page cannot do anything about an event that is refused, and cuts its texts without regard to pairs of surrogates: what
 * cannot be stored is replaced.
 */
function readText(
  fields: Readonly<Record<string, unknown>>,
  place: string,
  name: string,
  max: number,
): string | null {
  const value = fields[name];
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw invalidInput(`${place}${name}`, 'Send a text.');
  if (value.length > max) throw invalidInput(`${place}${name}`, `Use at most ${max} characters.`);
  return value.toWellFormed().replaceAll('\0', '\ufffd');
}

const iso = /^(?:19[7-9]\d|2\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

function readTime(value: unknown, path: string): number {
  const time = typeof value === 'string' && iso.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) throw invalidInput(path, 'Send a time such as 2026-01-31T09:30:00.000Z.');
  return time;
}

function readId(value: unknown, path: string): string {
  if (!isUuid(value)) throw invalidInput(path, 'Send a UUID.');
  return value.toLowerCase();
}

function readSize(value: unknown, path: string): number | null {
  if (value === undefined || value === null) return null;
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > maxSize)
    throw invalidInput(path, `Send a whole number of pixels up to ${maxSize}.`);
  return value as number;
}

function readValue(value: unknown, path: string): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !(value >= 0 && value <= maxGoalValue))
    throw invalidInput(path, `Send a number from 0 to ${maxGoalValue}.`);
  return Math.round(value * 100) / 100;
}
