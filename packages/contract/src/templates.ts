import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { quotaErrors } from './content.ts';
import { pickErrors } from './errors.ts';
import { memberOperations } from './operation.ts';
import { ownerChanges, ownerFields, ownerInput, ownerInUse, usableBy } from './owners.ts';
import {
  id,
  timestamp,
  timestampInput,
  itemKey,
  collectionName,
  filledLine,
  singleLine,
  list,
  order,
  paging,
  search,
  multiLine,
} from './values.ts';

export const templateTypes = ['email', 'layout', 'block'] as const;

/** What a template can begin with, by what an email is for. */
export const templateStarters = ['newsletter', 'announcement', 'offer', 'invitation'] as const;
export type TemplateStarter = (typeof templateStarters)[number];
/** The languages that starters are written in. */
export const starterLanguages = ['en', 'de'] as const;
export type StarterLanguage = (typeof starterLanguages)[number];

/** A problem of a template: an `error` stops a send, a `warning` is shown. */
export const TemplateProblem = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  /** Where it is, with the line counted from 1. */
  field: z.enum(['subject', 'preheader', 'mjml', 'from_name', 'from_email', 'reply_to']).nullable(),
  line: z.number().nullable(),
  /** The merge tag that it is about, such as `contact.first_name`. */
  variable: z.string().nullable(),
  /** For how many recipients the merge tag is empty; an upper bound where a condition around it cannot be told. */
  count: z.object({ empty: z.number(), recipients: z.number(), is_exact: z.boolean() }).nullable(),
});
export type TemplateProblem = z.infer<typeof TemplateProblem>;

/** An item of `reachout_templates` in the content backend. */
export const Template = z.object({
  id,
  title: z.string(),
  /** The slug of the title. */
  name: z.string(),
  template_type: z.enum(templateTypes),
  mjml: z.string(),
  ...ownerFields,
  date_created: timestamp,
  date_updated: timestamp,
});
export type Template = z.infer<typeof Template>;

const title = filledLine(120, 'Enter a title.');
/** A template has at most 1 MB; characters are counted here, bytes on the server. */
const mjml = multiLine(1_000_000);
const inOrganization = memberOperations('Templates', 'organization_id');
// A template belongs to a content backend, not to a table of ours: the organization is always part of the path.

export const templates = {
  list: inOrganization('GET /content/{organization_id}/templates', 'Templates', 'read Template')
    .input(
      z.strictObject({
        organization_id: id,
        ...usableBy,
        search,
        order: order(['title', 'date_updated'], 'date_updated.desc'),
        ...paging(20),
      }),
    )
    .output(list(Template.omit({ mjml: true }))),
  create: inOrganization('POST /content/{organization_id}/templates', 'Create a template', 'create Template')
    .input(
      z.strictObject({
        organization_id: id,
        ...ownerInput,
        title,
        template_type: z.enum(templateTypes).default('email'),
        /** Without it the starter, or a letter of a few lines. */
        mjml: mjml.optional(),
        /** The title of one that begins with a starter gets a number if it is taken, instead of being rejected. */
        starter: z.enum(templateStarters).optional(),
        /** Of the starter. */
        language: z.enum(starterLanguages).default('en'),
      }),
    )
    .errors({ ...pickErrors('name_taken'), ...quotaErrors })
    .output(Template),
  get: inOrganization('GET /content/{organization_id}/templates/{id}', 'One template', 'read Template')
    .input(z.strictObject({ organization_id: id, id }))
    .output(Template),
  picture: inOrganization(
    'GET /content/{organization_id}/templates/{id}/picture',
    'A template as a picture shows it, without a recipient',
    'read Template',
    { manualTransaction: true, isExpensive: true },
  )
    .input(
      z.strictObject({
        organization_id: id,
        id,
        /** In whose name: its color, logo and addresses. Otherwise in that of the brand that the template belongs to. */
        brand_id: id.optional(),
      }),
    )
    .output(
      z.object({
        /** Null where it cannot be rendered or is too long. */
        html: z.string().nullable(),
      }),
    ),
  update: inOrganization(
    'PATCH /content/{organization_id}/templates/{id}',
    'Change a template',
    'update Template',
  )
    .input(
      z.strictObject({
        organization_id: id,
        id,
        ...ownerChanges,
        title: title.optional(),
        mjml: mjml.optional(),
        /** The `date_updated` that the editor loaded: a template changed since by somebody else is not overwritten. */
        if_date_updated: timestampInput.optional(),
      }),
    )
    .errors({
      ...pickErrors('name_taken', 'changed_elsewhere'),
      ...ownerInUse,
    })
    .output(Template),
  duplicate: inOrganization(
    'POST /content/{organization_id}/templates/{id}/duplicate',
    'Copy a template',
    'create Template',
    { additionalPermissions: ['read Template'] },
  )
    /** A title that is taken gets a number. */
    .input(z.strictObject({ organization_id: id, id, title }))
    .errors({ ...pickErrors('name_taken'), ...quotaErrors })
    .output(Template),
  delete: inOrganization(
    'DELETE /content/{organization_id}/templates/{id}',
    'Delete a template',
    'delete Template',
  )
    .input(z.strictObject({ organization_id: id, id }))
    .errors(pickErrors('template_in_use'))
    .output(z.object({ id })),
  preview: inOrganization(
    'POST /content/{organization_id}/templates/preview',
    'Render an unsaved template',
    'read Template',
    {
      // Shows a contact's own fields.
      additionalPermissions: ['read Content'],
      manualTransaction: true,
      isExpensive: true,
    },
  )
    .input(
      z.strictObject({
        organization_id: id,
        mjml,
        subject: singleLine(300).default(''),
        preheader: singleLine(300).default(''),
        contact_id: itemKey.optional(),
        /** Of the contact. */
        collection: collectionName.default('contacts'),
      }),
    )
    .errors(backendFailed)
    .output(z.object({ html: z.string(), text: z.string(), problems: z.array(TemplateProblem) })),
};
