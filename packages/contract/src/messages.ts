import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { apiErrors, pickErrors } from './errors.ts';
import { dailyLimitReached, memberOperations, tooManyAttempts } from './operation.ts';
import { quotaErrors } from './organizations.ts';
import { errorFields, sendBlocked } from './sends.ts';
import { deliveryStates } from './statuses.ts';
import { reviewVersion } from './touchpoints.ts';
import { email, fieldName, id, itemKey, limitedRecord, storableJson, timestamp } from './values.ts';

/**
 * Limits in characters of JSON text, per value and in total. Messages are stored with these values until they are erased.
 */
const maxValueLength = 20_000;
const maxDataLength = 50_000;
const maxValues = 100;

const MessageData = limitedRecord(fieldName, storableJson(maxValueLength), maxValues).refine(
  (data) => JSON.stringify(data).length <= maxDataLength,
  `Use at most ${maxDataLength} characters of JSON.`,
);

/** A message requested individually: a triggered one, or a test. */
export const Message = z.object({
  id,
  organization_id: id,
  touchpoint_id: id,
  send_id: id,
  /** Tests are not counted in any statistics. */
  is_test: z.boolean(),
  to: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  /** The mail server's reply to the last attempt. */
  reply: z.string().nullable(),
  /** Set if the last attempt ended without a reply. */
  ...errorFields,
  next_attempt_at: timestamp.nullable(),
  created_at: timestamp,
  /** When it reached its final state. */
  at: timestamp.nullable(),
});
export type Message = z.infer<typeof Message>;

const inOrganization = memberOperations('Messages', 'organization_id');
const onMessage = memberOperations('Messages', 'messages');
const onTouchpoint = memberOperations('Messages', 'touchpoints');

export const messages = {
  create: inOrganization('POST /messages', 'Send one message of an active email', 'send Touchpoint', {
    successStatus: 202,
    auditEntries: 'daily',
    // Contacts may be in a Directus.
    manualTransaction: true,
  })
    .input({
      /** An active email, which provides subject, sender and template. */
      touchpoint_id: id,
      to: email,
      /** Available as `contact` in the template. */
      data: MessageData.default({}),
    })
    .errors({
      ...pickErrors('touchpoint_not_active'),
      ...dailyLimitReached,
      too_many_messages: { ...apiErrors.too_many_messages, data: z.object({ limit: z.number() }) },
      ...backendFailed,
    })
    .output(Message),
  get: onMessage('GET /messages/{id}', 'One message with its state', 'read Touchpoint').output(Message),
};

export const sendTestEmail = onTouchpoint(
  'POST /touchpoints/emails/{id}/test',
  'Send a test of an email to a member',
  'send Touchpoint',
  {
    successStatus: 202,
    // The message contains fields of a contact.
    additionalPermissions: ['read Content'],
    manualTransaction: true,
    isExpensive: true,
  },
)
  .input({
    /** Must be the address of a member of the organization. */
    to: email,
    /** The contact whose fields the message uses; the first of the audience if omitted. */
    collectionItemId: itemKey.optional(),
    expected_version: reviewVersion.optional(),
  })
  .errors({
    ...sendBlocked,
    ...pickErrors('changed_elsewhere'),
    ...tooManyAttempts,
    ...backendFailed,
    ...quotaErrors,
  })
  .output(Message);
