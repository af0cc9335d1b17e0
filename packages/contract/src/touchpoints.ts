import { z } from 'zod';
import { BrandSummary, senderAddress, senderName } from './clients.ts';
import { pickErrors } from './errors.ts';
import { listedFigures } from './figures.ts';
import { quotaErrors } from './organizations.ts';
import { causeTypes, reactionActions } from './rules/event-graph.ts';
import { figureColumns } from './rules/figure-columns.ts';
import { maxListedItems } from './rules/lengths.ts';
import { invalidTransition, memberOperations } from './operation.ts';
import { backendFailed } from './content-backend.ts';
import { AudienceBreakdown, AudienceReading } from './filters.ts';
import { mjmlSource, starterLanguages, TemplateProblem, templateStarters } from './templates.ts';
import { SendError } from './send-error.ts';
import { liveSendKinds } from './states/send.ts';
import { campaignStatuses } from './states/campaign.ts';
import { organizationStatuses } from './statuses.ts';
import { touchpointStatuses, touchpointTypes } from './states/touchpoint.ts';
import {
  collectionName,
  deleted,
  email,
  id,
  timestamp,
  timestampInput,
  itemKey,
  singleLine,
  list,
  name,
  order,
  paging,
} from './values.ts';

export const Touchpoint = z.object({
  id,
  organization_id: id,
  campaign_id: id,
  name: z.string(),
  type: z.enum(touchpointTypes),
  status: z.enum(touchpointStatuses),
  /** The collection of the content items that it shows; null for none. */
  collection: z.string().nullable(),
  /** When its next send starts; null if none is to come. */
  scheduled_date: timestamp.nullable(),
  /** IANA name; null if that send was started by hand. */
  scheduled_date_tz: z.string().nullable(),
  error_content: z.string().nullable(),
  /** At most 10: those that come next, and then the newest of the others. */
  schedules: z.array(
    z.object({
      id,
      /** The first occurrence. */
      start_date: timestamp,
      /** Whether a send is to come. False also while it is paused. */
      is_active: z.boolean(),
    }),
  ),
  campaign: z.object({ id, name: z.string(), status: z.enum(campaignStatuses) }),
  brand: BrandSummary,
  client: z.object({ id, name: z.string() }),
  organization: z.object({ id, name: z.string(), status: z.enum(organizationStatuses) }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Touchpoint = z.infer<typeof Touchpoint>;

export const TouchpointDetails = Touchpoint.extend({
  /** The send that is queued, running or paused; null if there is none. */
  open_send_id: id.nullable(),
  /** Whether a scheduled send has not started: its content can be changed, and confirmed again. */
  is_planned: z.boolean(),
  /** Whether its content was changed after it was confirmed: what was confirmed is sent. */
  is_changed: z.boolean(),
});
export type TouchpointDetails = z.infer<typeof TouchpointDetails>;

export const ListedTouchpoint = Touchpoint.extend(listedFigures);
export type ListedTouchpoint = z.infer<typeof ListedTouchpoint>;

export const TouchpointEmail = z.object({
  id,
  touchpoint_id: id,
  filter_id: id.nullable(),
  /** The audience; null also if the caller cannot see it. */
  filter: z.object({ id, name: z.string() }).nullable(),
  /** The template that the body began from; the email has its own copy. Null for another beginning. */
  template_id: id.nullable(),
  /** MJML source of the body; empty until it is written. */
  mjml: z.string(),
  subject: z.string(),
  preheader: z.string(),
  from_name: z.string(),
  from_email: z.string(),
  reply_to: z.string().nullable(),
  /** The content item that is merged into the email as `item`, of the collection of the touchpoint. */
  item_id: z.string().nullable(),
  /** How many of the newest items of this collection are merged into it as `items`. */
  items_count: z.number(),
  /** What it is about, one of the topics of its brand; null: it goes to all who get mail of the brand. */
  topic_id: id.nullable(),
  /** The audience once more, by its name alone. */
  filters: z.object({ name: z.string() }).nullable(),
  /** Touchpoints that react to events of this email, and events to which it reacts. */
  event_listeners: z.array(
    z.object({
      id,
      touchpoint_event_id: id,
      event_type: z.enum(causeTypes),
      action: z.enum(reactionActions),
      /** Null for what begins with a person. */
      notifier_touchpoint_id: id.nullable(),
      notifier_name: z.string().nullable(),
      listener_touchpoint_id: id,
      listener_name: z.string(),
    }),
  ),
  updated_at: timestamp,
});
export type TouchpointEmail = z.infer<typeof TouchpointEmail>;

/** Mail programs cut off subjects of more than 150 characters; 998 is the line limit of RFC 5322. */
export const TouchpointEmailInput = z.strictObject({
  filter_id: id.nullable().optional(),
  /** At most 1 MB. */
  mjml: mjmlSource.optional(),
  /** Replaces the body by a copy of a template. Null changes no word of the body, only forgets where it began. */
  template_id: id.nullable().optional(),
  /** Replaces the body by a default template. */
  starter: z.enum(templateStarters).optional(),
  /** Language of the default template. */
  language: z.enum(starterLanguages).optional(),
  subject: singleLine(300).optional(),
  preheader: singleLine(300).optional(),
  from_name: senderName.optional(),
  from_email: senderAddress.optional(),
  reply_to: email.nullable().optional(),
  item_id: itemKey.nullable().optional(),
  items_count: z.int().min(0).max(maxListedItems).optional(),
  /** A topic of the brand. */
  topic_id: id.nullable().optional(),
});
export type TouchpointEmailChanges = z.input<typeof TouchpointEmailInput>;

export const EmailPreview = z.object({
  from: z.object({ name: z.string(), email: z.string() }),
  to: z.string(),
  subject: z.string(),
  preheader: z.string(),
  html: z.string(),
  text: z.string(),
  problems: z.array(TemplateProblem),
});
export type EmailPreview = z.infer<typeof EmailPreview>;

export const reviewChecks = [
  'subject',
  'sender',
  'sender_domain',
  'body',
  'content_item',
  'unsubscribe_link',
  'sample_content',
  'legal_details',
  'legal_notice',
  'audience',
  'shared_contacts',
  'daily_limit',
  'quiet_hours',
  'tracking',
  'as_written',
  'variables',
  'size',
  'test',
  'transport',
] as const;

/** The `version` of the review that was shown; the request is rejected if what was reviewed is another one now. */
export const reviewVersion = z.string().max(64);

export const Review = z.object({
  /**
   * Of everything about the email that its recipients or their number depend on: subject, sender, body, content items, brand,
   * topic and rule of the audience, but not who is in the audience. For `expected_version`.
   */
  version: z.string(),
  /** That of the email: the review is of these words. */
  updated_at: timestamp,
  /**
   * `block` prevents a send, `confirm` one that does not confirm it (`sends_sample_content`), `warn` is only shown, `note` is no
   * fault of the email, `fine` is passed.
   */
  checks: z.array(
    z.object({
      check: z.enum(reviewChecks),
      level: z.enum(['block', 'confirm', 'warn', 'note', 'fine']),
      message: z.string().nullable(),
      problems: z.array(TemplateProblem),
    }),
  ),
  /**
   * Null if there is no recipient to count, and for callers who cannot read contacts: the numbers reveal values of contacts.
   */
  audience_breakdown: AudienceBreakdown.nullable(),
  /** Of the recipients, those whose opens and clicks would not be measured; null where the recipients are not counted. */
  not_measured: z.number().nullable(),
  /** Links that get no visit token: those that their author marked, and signed ones to a tracked website. */
  links_as_written: z.number(),
  /** For contacts in a remote content backend, the age of these numbers; null for the built-in one. */
  audience_reading: AudienceReading.nullable(),
  /** Null until one is chosen, if the chosen one was deleted, and for single messages. */
  audience: z.object({ id, name: z.string() }).nullable(),
  /** Whose choices apply; null if the email has none. */
  topic: z.object({ id, name: z.string() }).nullable(),
  /** The collection of its contacts, if several clients share it; null if it belongs to the client. */
  shared_contacts: z.object({ collection: z.string(), label: z.string().nullable() }).nullable(),
  /** The last test; `is_current` is false if the email was changed since. */
  test: z.object({ at: timestamp, is_current: z.boolean() }).nullable(),
  subject: z.string(),
  from: z.object({ name: z.string(), email: z.string() }),
  /** Why emails cannot be sent from this address, which the check `sender_domain` is about; null if they can. */
  sender_problem: SendError.nullable(),
  /**
   * Recipients that the organization can reach in 24 hours, and those of its sends so far. Null without a mail server, and for
   * a planned email, whose recipients are among them.
   */
  daily_limit: z.object({ limit: z.number(), used: z.number() }).nullable(),
  /** When messages that are sent now start, because the brand has quiet hours; null: at once. */
  quiet_until: timestamp.nullable(),
  /** How messages are sent; `mailbox` is the built-in mailbox, which stores them on this machine. */
  transport: z.enum(['mailbox', 'smtp', 'own']),
  /** The name of a transport of the organization; else null. */
  transport_name: z.string().nullable(),
});
export type Review = z.infer<typeof Review>;

const inOrganization = memberOperations('Touchpoints', 'organization_id');
const onTouchpoint = memberOperations('Touchpoints', 'touchpoints');

export const touchpoints = {
  list: inOrganization(
    'GET /touchpoints',
    'Touchpoints: those of a campaign, or all but the archived ones of a brand, of a client or of the organization',
    'read Touchpoint',
  )
    .input({
      client_id: id.optional(),
      brand_id: id.optional(),
      campaign_id: id.optional(),
      /** Only emails that began from this template. */
      template_id: id.optional(),
      /** `date`: when it was sent last; until then, when it was changed. */
      order: order(['date', 'name', 'updated_at', ...figureColumns], 'date.desc'),
      ...paging(100),
    })
    .output(list(ListedTouchpoint)),
  recent: inOrganization('GET /touchpoints/recent', 'The five newest touchpoints', 'read Touchpoint')
    .input({ client_id: id.optional() })
    .output(z.array(ListedTouchpoint)),
  get: onTouchpoint('GET /touchpoints/{id}', 'One touchpoint', 'read Touchpoint').output(TouchpointDetails),
  update: onTouchpoint(
    'PATCH /touchpoints/{id}',
    'Rename, archive or reopen a touchpoint, or choose its collection of content items',
    'update Touchpoint',
  )
    .input({
      name: name.optional(),
      status: z.enum(['draft', 'archived']).optional(),
      /** Another collection resets the content item of an email. */
      collection: collectionName.nullable().optional(),
    })
    .errors({ ...invalidTransition, ...pickErrors('send_in_progress', 'touchpoint_locked') })
    .output(Touchpoint),
  unarchive: onTouchpoint(
    'POST /touchpoints/{id}/unarchive',
    'Take a touchpoint out of the archive: it is sent where it was, else a draft',
    'update Touchpoint',
  ).output(Touchpoint),
  delete: onTouchpoint('DELETE /touchpoints/{id}', 'Delete a touchpoint', 'delete Touchpoint')
    .errors(pickErrors('send_in_progress'))
    .output(deleted),
  restore: onTouchpoint(
    'POST /touchpoints/{id}/restore',
    'Undo the deletion of a touchpoint',
    'delete Touchpoint',
  ).output(Touchpoint),
  duplicate: onTouchpoint(
    'POST /touchpoints/{id}/duplicate',
    'Copy a touchpoint as a draft, without its sends and results',
    'create Touchpoint',
    { additionalPermissions: ['read Touchpoint'] },
  )
    .input({
      name,
      /** Destination of the copy; the original's campaign if omitted. */
      campaign_id: id.optional(),
    })
    .errors({ ...pickErrors('campaign_archived'), ...quotaErrors })
    .output(Touchpoint),
  getEmail: onTouchpoint(
    'GET /touchpoints/{id}/email',
    'Subject, sender, body, content item and audience of an email',
    'read Touchpoint',
  ).output(TouchpointEmail),
  updateEmail: onTouchpoint(
    'PATCH /touchpoints/{id}/email',
    'Change subject, sender, body, content item or audience',
    'update Touchpoint',
  )
    .input(
      TouchpointEmailInput.extend({
        id,
        /** The `updated_at` that the editor loaded: if the email was changed since, the update is rejected. */
        if_updated_at: timestampInput.optional(),
      }),
    )
    .errors({ ...pickErrors('touchpoint_locked', 'changed_elsewhere'), ...quotaErrors })
    .output(TouchpointEmail),
  review: onTouchpoint('GET /touchpoints/{id}/review', 'Review a send before it starts', 'read Touchpoint', {
    manualTransaction: true,
    isExpensive: true,
  })
    .input({
      /** `triggered`: for single messages, without an audience. */
      kind: z.enum(liveSendKinds).default('campaign'),
    })
    .output(Review),
};

export const emailPicture = onTouchpoint(
  'GET /touchpoints/{id}/picture',
  'An email as a picture shows it, without a recipient: as it was sent last, or as it is written',
  'read Touchpoint',
  { manualTransaction: true, isExpensive: true },
).output({
  /** Null without a body, if it is too long or cannot be rendered, and for callers who cannot read it. */
  html: z.string().nullable(),
});

export const previewEmail = onTouchpoint(
  'POST /touchpoints/emails/preview/{id}',
  'Preview the draft of an email as one recipient',
  'read Touchpoint',
  {
    // The response contains fields of a contact.
    additionalPermissions: ['read Content'],
    manualTransaction: true,
    isExpensive: true,
  },
)
  .input({
    /** Displayed as the recipient's address; the contact's address if omitted. */
    email: email.optional(),
    /** The contact; the first of the audience if omitted. */
    collectionItemId: itemKey.optional(),
    /** The content item merged into this preview; the one of the email if omitted. */
    contentCollectionItemId: itemKey.optional(),
  })
  .errors({ ...pickErrors('body_missing', 'touchpoint_locked'), ...backendFailed })
  .output(EmailPreview);
