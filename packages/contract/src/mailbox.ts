import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { memberOperations, publicOperations } from './operation.ts';
import { byId, id, timestamp, list, paging, search } from './values.ts';

export const MailboxMessage = z.object({
  id,
  recipient: z.string(),
  sender: z.string(),
  subject: z.string(),
  received_at: timestamp,
  size_bytes: z.number(),
});
export type MailboxMessage = z.infer<typeof MailboxMessage>;

export const MailboxMessageDetail = MailboxMessage.extend({
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  html: z.string().nullable(),
  text: z.string().nullable(),
  /** The links that a reader can click, in order of appearance. */
  links: z.array(z.object({ text: z.string(), url: z.string() })),
  /** URL of the open pixel, so that a user can trigger an open on purpose. */
  pixel_url: z.string().nullable(),
});
export type MailboxMessageDetail = z.infer<typeof MailboxMessageDetail>;

const onSystemInbox = publicOperations('Mailbox');
const inOrganization = memberOperations('Mailbox', 'organization_id');
const onMessage = memberOperations('Mailbox', 'mailbox_messages');

/** Messages of an organization's sends that the built-in mailbox received. */
export const mailbox = {
  list: inOrganization('GET /mailbox', 'Messages in the test inbox, newest first', 'read Touchpoint')
    .input({
      search,
      client_id: id.optional(),
      send_id: id.optional(),
      ...paging(),
    })
    .output(list(MailboxMessage)),
  get: onMessage('GET /mailbox/{id}', 'One message', 'read Touchpoint').output(MailboxMessageDetail),
};

/**
 * The platform's own emails (codes, links, invitations) in the built-in mailbox. Only browsers that opened the link printed
 * by `npm start` have access, and only while no mail server is configured and the server listens on the loopback interface
 * alone; all other requests get `not_found`.
 */
export const systemMailbox = {
  list: onSystemInbox('GET /system_mailbox', 'Messages in the system inbox, newest first')
    .input({ search, ...paging() })
    .errors(pickErrors('not_found'))
    .output(list(MailboxMessage)),
  get: onSystemInbox('GET /system_mailbox/{id}', 'One message of the system inbox')
    .input(byId)
    .errors(pickErrors('not_found'))
    .output(MailboxMessageDetail),
};
