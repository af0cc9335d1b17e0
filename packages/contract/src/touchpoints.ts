import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { memberOperation } from './operation.ts';
import { AudienceBreakdown } from './filters.ts';
import { TemplateProblem } from './templates.ts';
import { touchpointStatuses, touchpointTypes } from './states/touchpoint.ts';
import { deleted, email, id, timestamp, itemKey, singleLine, list, name, order, paging } from './values.ts';

export const Touchpoint = z.object({
  id,
  organization_id: id,
  campaign_id: id,
  name: z.string(),
  type: z.enum(touchpointTypes),
  status: z.enum(touchpointStatuses),
  collection: z.string().nullable(),
  error_content: z.string().nullable(),
  campaign: z.object({ id, name: z.string() }),
  brand: z.object({ id, name: z.string(), logo_url: z.string().nullable() }),
  client: z.object({ id, name: z.string() }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Touchpoint = z.infer<typeof Touchpoint>;

export const TouchpointEmail = z.object({
  id,
  touchpoint_id: id,
  filter_id: id.nullable(),
  template_id: id.nullable(),
  subject: z.string(),
  preheader: z.string(),
  from_name: z.string(),
  from_email: z.string(),
  reply_to: z.string().nullable(),
  updated_at: timestamp,
});
export type TouchpointEmail = z.infer<typeof TouchpointEmail>;

/** Subjects of more than 150 characters are cut by mail programs; 998 is the line limit of RFC 5322. */
export const TouchpointEmailInput = z.strictObject({
  filter_id: id.nullable().optional(),
  template_id: id.nullable().optional(),
  subject: singleLine(300).optional(),
  preheader: singleLine(300).optional(),
  from_name: singleLine(120)
    .refine((value) => !value.includes('@'), 'A sender name can’t contain @.')
    .optional(),
  from_email: z.union([z.literal(''), email]).optional(),
  reply_to: email.nullable().optional(),
});

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
  'template',
  'unsubscribe_link',
  'audience',
  'variables',
  'size',
  'transport',
] as const;

export const Review = z.object({
  /** `block` stops a send, `warn` is shown, `fine` is ticked. */
  checks: z.array(
    z.object({
      check: z.enum(reviewChecks),
      level: z.enum(['block', 'warn', 'fine']),
      message: z.string().nullable(),
      problems: z.array(TemplateProblem),
    }),
  ),
  /** Null where there is nobody to count, and for those who may not read contacts: its numbers tell what they say. */
  audience_breakdown: AudienceBreakdown.nullable(),
  subject: z.string(),
  from: z.object({ name: z.string(), email: z.string() }),
  /** Where messages go: the built-in mailbox keeps them on this machine. */
  transport: z.enum(['mailbox', 'smtp']),
});
export type Review = z.infer<typeof Review>;

const tag = 'Touchpoints';
const one = { tag, tenant: 'touchpoints' } as const;
const many = { tag, tenant: 'organization_id' } as const;
const locked = {
  touchpoint_locked: apiErrors.touchpoint_locked,
} as const;

const createInput = z.strictObject({
  organization_id: id,
  campaign_id: id,
  name,
  type: z.enum(touchpointTypes),
});

export const touchpoints = {
  list: memberOperation({
    method: 'GET',
    path: '/touchpoints',
    summary:
      'Touchpoints: those of a campaign, or all but the archived ones of a brand or of the organization',
    permission: ['read', 'Touchpoint'],
    ...many,
  })
    .input(
      z.strictObject({
        organization_id: id,
        brand_id: id.optional(),
        campaign_id: id.optional(),
        order: order(['name', 'updated_at'], 'name.asc'),
        ...paging(100),
      }),
    )
    .output(list(Touchpoint)),
  recent: memberOperation({
    method: 'GET',
    path: '/touchpoints/recent',
    summary: 'The five newest touchpoints',
    permission: ['read', 'Touchpoint'],
    ...many,
  })
    .input(z.strictObject({ organization_id: id }))
    .output(z.array(Touchpoint)),
  create: memberOperation({
    method: 'POST',
    path: '/touchpoints',
    summary: 'Create a touchpoint of a campaign',
    permission: ['create', 'Touchpoint'],
    ...many,
  })
    .input(createInput)
    .output(Touchpoint),
  get: memberOperation({
    method: 'GET',
    path: '/touchpoints/{id}',
    summary: 'One touchpoint',
    permission: ['read', 'Touchpoint'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .output(Touchpoint),
  update: memberOperation({
    method: 'PATCH',
    path: '/touchpoints/{id}',
    summary: 'Rename, archive or reopen a touchpoint',
    permission: ['update', 'Touchpoint'],
    ...one,
  })
    .input(z.strictObject({ id, name: name.optional(), status: z.enum(['draft', 'archived']).optional() }))
    .errors({
      invalid_transition: {
        ...apiErrors.invalid_transition,
        data: z.object({ from: z.string(), to: z.string() }),
      },
      send_in_progress: apiErrors.send_in_progress,
    })
    .output(Touchpoint),
  delete: memberOperation({
    method: 'DELETE',
    path: '/touchpoints/{id}',
    summary: 'Delete a touchpoint',
    permission: ['delete', 'Touchpoint'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .errors({
      send_in_progress: apiErrors.send_in_progress,
    })
    .output(deleted),
  restore: memberOperation({
    method: 'POST',
    path: '/touchpoints/{id}/restore',
    summary: 'Undo the deletion of a touchpoint',
    permission: ['delete', 'Touchpoint'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .output(Touchpoint),
  getEmail: memberOperation({
    method: 'GET',
    path: '/touchpoints/{id}/email',
    summary: 'Subject, sender, template and audience of an email',
    permission: ['read', 'Touchpoint'],
    ...one,
  })
    .input(z.strictObject({ id }))
    .output(TouchpointEmail),
  updateEmail: memberOperation({
    method: 'PATCH',
    path: '/touchpoints/{id}/email',
    summary: 'Change subject, sender, template or audience',
    permission: ['update', 'Touchpoint'],
    ...one,
  })
    .input(TouchpointEmailInput.extend({ id }))
    .errors(locked)
    .output(TouchpointEmail),
  review: memberOperation({
    method: 'GET',
    path: '/touchpoints/{id}/review',
    summary: 'Review a send before it starts',
    permission: ['read', 'Touchpoint'],
    ...one,
    manualTransaction: true,
  })
    .input(z.strictObject({ id }))
    .output(Review),
};

export const createTouchpoint = memberOperation({
  method: 'POST',
  path: '/rpc/create_touchpoint',
  summary: 'Create a touchpoint (RPC)',
  permission: ['create', 'Touchpoint'],
  ...many,
})
  .input(createInput)
  .output(Touchpoint);

export const previewEmail = memberOperation({
  method: 'POST',
  path: '/touchpoints/emails/preview/{id}',
  summary: 'Preview the email as one recipient',
  permission: ['read', 'Touchpoint'],
  // Shows a contact's own fields.
  additionalPermissions: [['read', 'Content']],
  ...one,
  manualTransaction: true,
})
  .input(
    z.strictObject({
      id,
      /** Shown as the recipient's address; without it the contact's own. */
      email: email.optional(),
      /** The contact; without it the first of the audience. */
      collectionItemId: itemKey.optional(),
      /** The content item merged into the template. */
      contentCollectionItemId: itemKey.optional(),
    }),
  )
  .errors({ template_missing: apiErrors.template_missing })
  .output(EmailPreview);
