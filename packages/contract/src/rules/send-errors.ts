import { cutText } from './cut-text.ts';
import { fillPlaceholders, type PlaceholdersIn } from './placeholders.ts';

/**
 * What the send engine itself reports about a send or a delivery: why it waits, paused or failed, and what to do. Stored as
 * a code with values, so that each user sees it in their language; these are the English texts, also used in the API. The
 * values `reply` (from a mail server) and `detail` (a technical name, such as that of a connection error) are not
 * translated.
 */
export const sendErrors = {
  // Sends that paused automatically.
  sender_rejected:
    'The mail server rejects this sender: {{reply}}. Ask the operator of this installation to allow the sender address on the mail server. Then resume the send, or cancel it.',
  mostly_rejected:
    'The mail server rejected {{rejected}} of the last {{count}} messages, so the send has paused. No address was suppressed for this, because the mail server or the whole list may be the cause. Check both with the operator of this installation. Then resume the send, or cancel it. The server said: {{reply}}',
  many_complaints:
    'Recipients marked {{complaints}} of {{accepted}} messages of the last seven days from {{domain}} as unwanted. Mail providers filter such senders, so the sends of this brand from there have paused. Find out why people complain. Then resume the send, or cancel it.',
  often_unconfirmed:
    'The mail server often accepts messages without confirming them. Ask the operator of this installation to check the mail server. Then resume the send, or cancel it. Technical detail: {{detail}}',
  often_not_built:
    '{{count}} messages in a row could not be built. The details of the failed recipients say why. Cancel the send, correct the template or the contacts, and send a new email to those who didn’t get one.',
  worker_ended:
    'The send worker crashed {{count}} times when it started this send. Ask the operator of this installation to check the server log. Then resume the send, or cancel it.',
  overdue:
    'Nothing was sent for more than a day, although messages were due. Resume the send if they should still go out, or cancel it.',
  unexpected_paused:
    'Something went wrong in Reachout {{count}} times in a row. Ask the operator of this installation to check the server log. Then resume the send, or cancel it.',
  // Sends that wait for a decision before they start.
  started_late:
    'The time of this send has passed, and nothing was sent. Resume the send if it should still go out, choose another time, or cancel it.',
  // Sends that failed before any message was sent.
  nobody_left:
    'The audience had no recipients left when the send started, so nothing was sent. Check the audience, then send the email again.',
  follow_up_nobody_left:
    'Nobody is left to send to again: the failed recipients were deleted, unsubscribed or suppressed, or have another address now.',
  no_audience: 'This send has no audience, so nothing was sent. Choose one, then send the email again.',
  parent_deleted: 'The send that this one follows was deleted, so nothing was sent.',
  audience_of_newer_version:
    'This send was confirmed with a newer version of Reachout, whose audiences this version can’t read. Send the email again.',
  audience_unusable:
    'This send was confirmed with an older version of Reachout, and its audience can’t be used anymore. Open the audience to see what is wrong, correct it, and send the email again.',
  contacts_of_other_client:
    'The contacts of this audience belong to another client or brand, so nothing was sent. Choose another audience, then send the email again.',
  daily_limit_exceeded:
    'With this send, the organization would reach {{used}} recipients within 24 hours; its limit is {{limit}}. Choose a smaller audience, wait, or ask the operator of this installation for a higher limit.',
  daily_limit_of_person_exceeded:
    'With this send, you or an owner of this organization would reach {{used}} recipients within 24 hours over all of your organizations; the limit is {{limit}}. Choose a smaller audience, wait, or ask the operator of this installation to give this organization a limit of its own.',
  contacts_not_read:
    'The contacts of this audience could not be read from the content backend, so nothing was sent. Check the content backend in the settings, then send the email again. The reason: {{detail}}',
  unexpected_failed:
    'Something went wrong in Reachout {{count}} times in a row, and nothing was sent. Ask the operator of this installation to check the server log. Then send the email again.',
  // Both kinds.
  sender_domains_missing:
    'Nothing can be sent before a sending domain is verified, or the operator of this installation has listed the domains of senders (SENDER_DOMAINS).',
  sender_domain_denied:
    'Senders at {{domain}} are not allowed here. Use another sender address, add the domain as a sending domain, or ask the operator of this installation to allow it (SENDER_DOMAINS).',
  sender_domain_pending:
    'The sending domain {{domain}} is not verified yet. Add its DNS records and check them. Use another sender address until then.',
  sender_domain_failing:
    'The DNS records of the sending domain {{domain}} no longer pass their checks, so nothing is sent from it. Correct them and check the domain again. Then resume the send.',
  sender_domain_not_linked:
    'Senders at {{domain}} are not allowed in this campaign: it is linked to other sending domains. Use a sender address at one of these, or change the domains of the campaign.',
  // Sends that paused, and tests that failed.
  dkim_key_unusable:
    'Messages from {{domain}} can’t be signed, because the DKIM key can’t be used, and nothing is sent without a signature. Ask the operator of this installation to check the key. Then resume the send, or send the test again. Technical detail: {{detail}}',
  dkim_record_wrong:
    'The DNS record with the DKIM key of {{domain}} is missing or wrong, and receivers would reject the messages. Correct it and check the sending domain. Then resume the send, or send the test again.',
  dkim_unanswered:
    'The name servers of {{domain}} can’t be reached, and the DKIM key was not seen there for more than 24 hours. Check the sending domain. Then resume the send, or send the test again.',
  dkim_signature_differs:
    'Messages from {{domain}} would be signed with another key than the one in its DNS record. Check the sending domain, or ask the operator of this installation to check the key. Then resume the send, or send the test again. Technical detail: {{detail}}',
  sender_domain_deleted:
    'The sending domain {{domain}} was deleted while messages were being sent, and the next ones would not be signed. Add the domain again and verify it, or resume the send to send them without a signature.',
  // Sends that continue automatically.
  unexpected_retried: 'Something went wrong in Reachout. The send is retried automatically.',
  contacts_delayed:
    'The contacts of this audience can’t be read from the content backend. Reachout keeps trying; nothing is sent before all of them are read. The reason: {{detail}}',
  mail_server_away: 'The mail server can’t be reached. Reachout keeps trying. Technical detail: {{detail}}',
  mail_server_busy:
    'The mail server takes no messages for now. Reachout keeps trying. The server said: {{reply}}',
  connections_closed:
    'The mail server closes connections. Reachout keeps trying. Technical detail: {{detail}}',
  provider_waits:
    '{{provider}} takes no more messages for now; the next ones are sent in {{minutes}} min. The server said: {{reply}}',
  rate_of_installation:
    'Reachout sends no more than {{perMinute}} per minute. The operator of this installation can change that.',
  rate_of_organization:
    'Reachout sends no more than {{perMinute}} per minute for this organization. The operator of this installation can change that.',
  rate_of_provider:
    'Reachout sends no more than {{perMinute}} per minute to {{provider}}. The operator of this installation can change that.',
  rate_of_other_providers:
    'Reachout sends no more than {{perMinute}} per minute to all other providers. The operator of this installation can change that.',
  rate_of_transport:
    'The provider of the transport {{name}} takes no more than {{perMinute}} messages per minute.',
  day_of_transport:
    'The provider of the transport {{name}} takes no more than {{limit}} messages in 24 hours. The next ones are sent as soon as it takes more.',
  warm_up_of_domain:
    'The sender domain {{domain}} is new to mail providers: no more than {{limit}} messages leave today, and more each day. The next ones are sent after midnight (UTC). The operator of this installation can change that.',
  // Deliveries.
  stopped_by_event: 'An event of this contact stopped the message before it was sent.',
  counted_as_sent:
    'It is uncertain whether the mail server accepted the message; a member chose to treat it as sent.',
  worker_stopped: 'The send worker stopped while it was sending this message.',
  worker_ended_building: 'The send worker crashed twice while it built this message.',
  unconfirmed: 'The mail server did not confirm the message. Technical detail: {{detail}}',
  connection_lost: 'The connection to the mail server was lost ({{stage}}). Technical detail: {{detail}}',
  sender_unusable: 'The envelope sender is not a plain email address.',
  recipient_unusable: 'The address is not a plain email address.',
  larger_than_server_takes: 'The message is larger than the mail server takes.',
  not_built: 'The message could not be built.',
  template_failed: 'The template could not be filled in. Technical detail: {{detail}}',
  template_too_slow: 'The template took longer than {{milliseconds}} ms.',
  part_too_large: 'A part of the message has more than {{limit}} characters.',
  message_too_large: 'The message is larger than {{megabytes}} MB.',
  message_too_slow: 'Building the message took too long.',
  // Only in results that were stored before such characters became blanks.
  control_character: '{{header}} contains a line break or another control character.',
  header_too_long: '{{header}} is longer than {{limit}} characters.',
} as const;

export type SendErrorCode = keyof typeof sendErrors;

type ValueNames<Code extends SendErrorCode> = PlaceholdersIn<(typeof sendErrors)[Code]>;
type Value = string | number;

export const sendErrorCodes = Object.keys(sendErrors) as [SendErrorCode, ...SendErrorCode[]];

/** The send paused itself because the mail server rejected its sender, or nearly all recipients. */
export const rejectionPauses = ['sender_rejected', 'mostly_rejected'] as const satisfies SendErrorCode[];

export interface SendError {
  code: SendErrorCode;
  values: Record<string, Value>;
}

export const isPausedByRejections = ({ code }: SendError): boolean =>
  rejectionPauses.some((pause) => pause === code);

const maxValueLength = 300;

/** @param values  the placeholders of the code's text; long values are truncated */
export const sendError = <Code extends SendErrorCode>(
  code: Code,
  ...[values]: [ValueNames<Code>] extends [never] ? [] : [Record<ValueNames<Code>, Value>]
): SendError => toStorable({ code, values: values ?? {} });

/** PostgreSQL can store neither NUL nor lone surrogates. */
export const toStorable = ({ code, values }: SendError): SendError => ({
  code,
  values: Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? cutText(value, maxValueLength).toWellFormed().replaceAll('\0', '') : value,
    ]),
  ),
});

/** @returns the English text */
export const describeSendError = ({ code, values }: SendError): string =>
  fillPlaceholders(sendErrors[code], values);
