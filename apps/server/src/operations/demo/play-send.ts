import type { AudienceBreakdown } from '@reachout/contract/filters.ts';
import type { ExclusionReason } from '@reachout/contract/statuses.ts';
import { toDeliveryResult, type DeliveryResult } from '../../queue/delivery.ts';
import type { Random } from '../../platform/random.ts';
import { isTracked, type Person } from './people.ts';
import type { PlannedEmail } from './plan-emails.ts';
import type { BrandKey } from './story/story.ts';

/** Contacts suppressed by the sends so far, with the date. */
export interface OptOuts {
  bounced: Map<Person, Date>;
  unsubscribed: Map<BrandKey, Map<Person, Date>>;
}

/** A simulated send: its recipients and the result of each message. */
export interface PlayedSend {
  recipients: Person[];
  excluded: { person: Person; reason: ExclusionReason }[];
  breakdown: AudienceBreakdown;
  /** Results of the first recipients; messages to the others have not been started. */
  results: DeliveryResult[];
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
  { bounced, unsubscribed }: OptOuts,
  now: Date,
  random: Random,
): PlayedSend {
  const { brand, at, fate } = email;
  const matched = people.filter((person) => person.at < at && person.brands.has(brand));
  const reasonOf = (person: Person): ExclusionReason | undefined => {
    const isBefore = (date: Date | undefined) => date !== undefined && date < at;
    if (isBefore(unsubscribed.get(brand)?.get(person))) return 'unsubscribed';
    return isBefore(bounced.get(person)) ? 'suppressed' : undefined;
  };
  const recipients = matched.filter((person) => reasonOf(person) === undefined);
  const excluded = matched.flatMap((person) => {
    const reason = reasonOf(person);
    return reason === undefined ? [] : [{ person, reason }];
  });
  const started =
    fate === 'paused' ? recipients.slice(0, Math.round(recipients.length * pausedAfterShare)) : recipients;
  const deferredCount = Math.round(recipients.length * deferredShare);
  const results = started.map((person, index) => {
    const seq = index + 1;
    const sentAt = new Date(at.getTime() + 1_500 + index * paceMs);
    const waiting = fate === 'running' ? index - (started.length - deferredCount) : -1;
    if (waiting >= 0) {
      const waitMs = (Math.max(0, waiting - triedAtOnce + 1) * deferredForMs) / deferredCount;
      return defer(seq, sentAt, new Date(now.getTime() + waitMs));
    }
    const isBounced = person.isDead || random.chance(0.0009);
    return isBounced
      ? bounce(seq, person, sentAt, random)
      : { ...accept(seq, sentAt, random), tracked: isTracked(person, brand) };
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
