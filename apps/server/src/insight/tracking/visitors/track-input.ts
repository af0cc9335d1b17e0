import { maxEventNameLength, maxGoalValue } from '@reachout/contract/rules/conversions.ts';
import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { visitorEventTypes, type VisitorEventType } from '@reachout/contract/states/website.ts';
import { invalidInput } from '../../../platform/http/api-error.ts';
import { isUuid } from '../../../platform/ids.ts';

/** An event as a tracking client describes it; docs/tracking.md has its fields. Texts that are missing or empty are null. */
export type TrackInput = ReturnType<typeof readEvent>;

/** What a page asks beside sending events, to take its visitor along to another host. */
export type TrackQuestion =
  | { type: 'LINK'; anonymous_id: string; host: string }
  | { type: 'ARRIVE'; ctm_vid: string; referrer: string };

const maxEvents = 50;
const maxNameLength = 255;
/** In CSS pixels. */
const maxSize = 100_000;

interface TextField {
  /** Without it, what is stored of an address is shortened: what may be secret is found in whole addresses only. */
  most?: number;
  /** What becomes of a longer one; half of an id or a name would be another one. */
  ifLonger?: 'cut' | 'left out';
  /** Without a usable one, these are not what their type says, and are refused. */
  neededBy?: readonly VisitorEventType[];
}

/** docs/tracking.md, "The endpoint for websites". What is not needed costs no event, whatever it is. */
const texts = {
  url: { neededBy: visitorEventTypes },
  event: { most: maxEventNameLength, ifLonger: 'left out', neededBy: ['TRACK'] },
  user_id: { most: maxNameLength, ifLonger: 'left out', neededBy: ['IDENTIFY'] },
  collection: { most: maxNameLength, ifLonger: 'left out', neededBy: ['IDENTIFY'] },
  ctm_aid: { most: maxNameLength, ifLonger: 'left out' },
  language: { most: 35, ifLonger: 'left out' },
  title: { most: 1_024, ifLonger: 'cut' },
  id: {},
  page: {},
  hash: {},
  referrer: {},
} satisfies Record<string, TextField>;

/**
 * @returns undefined if the body of a request is none
 * @throws 422 `invalid_input` for a visitor that is no UUID
 */
export function readQuestion(body: unknown): TrackQuestion | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { type, anonymous_id, ...fields } = body as Readonly<Record<string, unknown>>;
  const text = (name: string) => readText(fields[name], {}) ?? '';
  if (type === 'ARRIVE') return { type, ctm_vid: text('ctm_vid'), referrer: text('referrer') };
  if (type !== 'LINK') return undefined;
  if (!isUuid(anonymous_id)) throw notUuid('');
  return { type, anonymous_id: anonymous_id.toLowerCase(), host: text('host') };
}

const notUuid = (place: string) => invalidInput(`${place}anonymous_id`, 'Send a UUID.');

/**
 * Reads the body of a request: one event, or a list of them. Unknown fields are ignored, so that newer clients can be used with
 * an older server. This is no schema of zod, which takes ten times as long: it runs for each event.
 * @throws 422 `invalid_input`, with the place and the field that an event cannot do without
 */
export function readEvents(body: unknown): TrackInput[] {
  if (!Array.isArray(body)) return [readEvent(body, '')];
  if (body.length === 0 || body.length > maxEvents) throw invalidInput('', `Send 1 to ${maxEvents} events.`);
  return body.map((item, index) => readEvent(item, `${index}.`));
}

function readEvent(input: unknown, place: string) {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidInput(place.slice(0, -1), 'An event is an object.');
  const fields = input as Readonly<Record<string, unknown>>;
  const type = visitorEventTypes.find((known) => known === fields['type']);
  if (type === undefined) throw invalidInput(`${place}type`, 'Use VIEW_PAGE, IDENTIFY or TRACK.');
  const { anonymous_id, event_id } = fields;
  if (!isUuid(anonymous_id)) throw notUuid(place);
  const text = (name: keyof typeof texts): string | null => {
    const { most, neededBy }: TextField = texts[name];
    const value = readText(fields[name], texts[name]);
    if (value === null && neededBy?.includes(type) === true)
      throw invalidInput(
        `${place}${name}`,
        `${type} needs this text${most === undefined ? '' : `, of at most ${most} characters`}.`,
      );
    return value;
  };
  return {
    type,
    /** Milliseconds since 1970; null if that cannot be read. */
    timestamp: readTime(fields['timestamp']),
    /** Null if the client made none. */
    event_id: isUuid(event_id) ? event_id.toLowerCase() : null,
    anonymous_id: anonymous_id.toLowerCase(),
    url: text('url')!,
    /** The fragment, which may be missing in the address. */
    hash: text('hash'),
    /** Address of the page, if the website says which one it is. */
    page: text('page'),
    event: type === 'TRACK' ? text('event') : null,
    user_id: text('user_id'),
    collection: text('collection'),
    title: text('title'),
    referrer: text('referrer'),
    language: text('language'),
    width: readSize(fields['width']),
    height: readSize(fields['height']),
    ctm_aid: text('ctm_aid'),
    /** Of a conversion, in the currency of the organization. */
    value: readValue(fields['value']),
    /** Of what is reached, such as an order: a goal counts it once. */
    id: text('id'),
  };
}

/** What cannot be stored is replaced: pages cut their texts without regard to pairs of surrogates. */
function readText(given: unknown, { most = Infinity, ifLonger }: TextField): string | null {
  const value = typeof given === 'number' && Number.isFinite(given) ? String(given) : given;
  if (typeof value !== 'string' || value === '') return null;
  if (value.length > most && ifLonger === 'left out') return null;
  return cutText(value, most).toWellFormed().replaceAll('\0', '\ufffd');
}

const iso = /^(?:19[7-9]\d|2\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

function readTime(value: unknown): number | null {
  const time = typeof value === 'string' && iso.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** Numbers can be texts, such as those of attributes. @returns NaN for everything else */
const toNumber = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
    ? Number(value)
    : Number.NaN;

function readSize(value: unknown): number | null {
  const size = Math.round(toNumber(value));
  return size >= 0 && size <= maxSize ? size : null;
}

/** What is there, and is no amount, is 0: the one of the goal would be made up. */
function readValue(value: unknown): number | null {
  if (value === undefined || value === null || value === '') return null;
  const amount = toNumber(value);
  return amount >= 0 && amount <= maxGoalValue ? Math.round(amount * 100) / 100 : 0;
}
