import type { AudienceBreakdown } from '@reachout/contract/filters.ts';
import type { BounceClass, ExclusionReason } from '@reachout/contract/statuses.ts';
import { toDeliveryResult, type DeliveryResult } from '../../queue/delivery.ts';
import type { Random } from '../../platform/random.ts';
import type { SampleResult } from '../../sample/sends.ts';
import { isTracked, type Person } from './people.ts';
import type { PlannedEmail } from './plan-emails.ts';
import type { BrandKey } from './story/story.ts';

/** Contacts suppressed by the sends so far, with the date. */
export interface OptOuts {
  /** For all brands: nonexistent addresses, and people who complained. */
  suppressed: Map<Person, Date>;
  unsubscribed: Map<BrandKey, Map<Person, Date>>;
}

/** A simulated send: its recipients and the result of each message. */
export interface PlayedSend {
  recipients: Person[];
  excluded: { person: Person; reason: ExclusionReason }[];
  breakdown: AudienceBreakdown;
  /** Results of the first recipients; messages to the others have not been started. */
  results: SampleResult[];
  /** Undefined while the send is running. */
  endedAt: Date | undefined;
}

/** Time between two messages. */
const paceMs = 240;
const pausedAfterShare = 0.46;
/** Share of a running send's messages that mail servers defer. */
const deferredShare = 0.27;
/** Delay of the last deferred message; the first `triedAtOnce` ones are due at once. */
const deferredForMs = 20 * 3_600_000;
const triedAtOnce = 6;

/** @param people  all contacts @param now  from when deferred messages are retried */
export function playSend(
  email: PlannedEmail,
  people: readonly Person[],
  { suppressed, unsubscribed }: OptOuts,
  now: Date,
  random: Random,
): PlayedSend {
  const { brand, at, fate } = email;
  const matched = people.filter((person) => person.at < at && person.brands.has(brand));
  const reasonOf = (person: Person): ExclusionReason | undefined => {
    const isBefore = (date: Date | undefined) => date !== undefined && date < at;
    if (isBefore(unsubscribed.get(brand)?.get(person))) return 'unsubscribed';
    return isBefore(suppressed.get(person)) ? 'suppressed' : undefined;
  };
  const recipients = matched.filter((person) => reasonOf(person) === undefined);
  const excluded = matched.flatMap((person) => {
    const reason = reasonOf(person);
    return reason === undefined ? [] : [{ person, reason }];
  });
  const started =
    fate === 'paused' ? recipients.slice(0, Math.round(recipients.length * pausedAfterShare)) : recipients;
  const deferredCount = Math.round(recipients.length * deferredShare);
  let bounces = 0;
  const results = started.map((person, index): SampleResult => {
    const seq = index + 1;
    const sentAt = new Date(at.getTime() + 1_500 + index * paceMs);
    const waiting = fate === 'running' ? index - (started.length - deferredCount) : -1;
    if (waiting >= 0) {
      const waitMs = (Math.max(0, waiting - triedAtOnce + 1) * deferredForMs) / deferredCount;
      return defer(seq, sentAt, new Date(now.getTime() + waitMs));
    }
    const isBounced = person.isDead || random.chance(0.0009);
    const late = isBounced ? lateReports[(bounces += 1) % lateReports.length] : undefined;
    if (isBounced && late === undefined) return bounce(seq, person, sentAt, random);
    const accepted = { ...accept(seq, sentAt, random), tracked: isTracked(person, brand) };
    const returnedAt = new Date(sentAt.getTime() + (late?.afterMs ?? 0));
    return late === undefined || returnedAt > now
      ? accepted
      : returnLater(accepted, person, late, returnedAt);
  });
  return {
    recipients,
    excluded,
    breakdown: {
      matched: matched.length,
      excluded: {
        no_address: 0,
        invalid_address: 0,
        duplicate_address: 0,
        unsubscribed: excluded.filter(({ reason }) => reason === 'unsubscribed').length,
        suppressed: excluded.filter(({ reason }) => reason === 'suppressed').length,
      },
      will_receive: recipients.length,
    },
    results,
    endedAt: fate === 'sent' ? new Date(at.getTime() + 3_000 + started.length * paceMs) : undefined,
  };
}

type Outcome = Parameters<typeof toDeliveryResult>[0];

const end = (seq: number, outcome: Outcome, at: Date): DeliveryResult =>
  toDeliveryResult(
    outcome,
    { seq, tracked: true, tries: { attempts: 0, interruptions: 0, uncertain: 0 } },
    { uncertainPolicy: 'retry' },
    at,
    0.5,
  );

const accept = (seq: number, at: Date, random: Random): DeliveryResult =>
  end(seq, { outcome: 'accepted', reference: `250 2.0.0 Ok: queued as ${queueId(random)}` }, at);

const queueId = (random: Random): string =>
  Math.floor(random.next() * 36 ** 8)
    .toString(36)
    .padStart(8, '0')
    .toUpperCase();

function bounce(seq: number, { data }: Person, at: Date, random: Random): DeliveryResult {
  const isUnknown = random.chance(0.8);
  const rejection = { outcome: 'rejected', permanent: true, code: 550, stage: 'rcpt' } as const;
  return end(
    seq,
    isUnknown
      ? {
          ...rejection,
          enhanced: '5.1.1',
          text: `5.1.1 <${data.email}>: Recipient address rejected: User unknown`,
          class: 'address_hard',
        }
      : {
          ...rejection,
          enhanced: '5.2.1',
          text: `5.2.1 <${data.email}>: Mailbox disabled`,
          class: 'address_likely',
        },
    at,
  );
}

interface LateReport {
  afterMs: number;
  class: BounceClass;
  reply: (address: string) => string;
}

/** What comes back of the messages to dead mailboxes, in turn: most are rejected at once. */
const lateReports: readonly (LateReport | undefined)[] = [
  undefined,
  undefined,
  {
    afterMs: 4 * 60_000,
    class: 'address_hard',
    reply: (address) => `550 5.1.1 <${address}>: no mailbox here by that name`,
  },
  undefined,
  {
    afterMs: 5 * 86_400_000,
    class: 'expired',
    reply: (address) => `4.4.1 connect to mx.${address.split('@')[1]}: connection timed out`,
  },
];

/** A server took it, and reported later that it could not deliver it. */
const returnLater = (
  accepted: DeliveryResult,
  { data }: Person,
  { class: reason, reply }: LateReport,
  at: Date,
): SampleResult => ({
  ...accepted,
  result: { kind: 'final', state: 'bounced' },
  acceptedAt: accepted.at,
  at: at.toISOString(),
  class: reason,
  reply: reply(data.email),
});

function defer(seq: number, at: Date, dueAt: Date): DeliveryResult {
  const greylisted = {
    outcome: 'rejected',
    permanent: false,
    code: 451,
    enhanced: '4.7.1',
    text: '4.7.1 Greylisted, please try again later',
    stage: 'rcpt',
    class: 'transient',
  } as const;
  return { ...end(seq, greylisted, at), result: { kind: 'deferred', dueAt: dueAt.toISOString() } };
}
