import { z } from 'zod';
import { backendFailed } from './content-backend.ts';
import { quotaErrors } from './organizations.ts';
import { pickErrors } from './errors.ts';
import { memberOperations } from './operation.ts';
import { ownerChanges, ownerFields, ownerInput, usableBy } from './owners.ts';
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

/** Default templates, by the purpose of an email. */
export const templateStarters = [
  'blank',
  'newsletter',
  'announcement',
  'offer',
  'invitation',
  'product',
  'welcome',
  'personal',
  'reminder',
  'feedback',
  'report',
  'reengagement',
  'receipt',
] as const;
export type TemplateStarter = (typeof templateStarters)[number];
/** The languages of the default templates. */
export const starterLanguages = ['en', 'de'] as const;
export type StarterLanguage = (typeof starterLanguages)[number];

/** A problem of a template: an `error` blocks a send, a `warning` is only shown. */
export const TemplateProblem = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  /** Location of the problem, with a 1-based line. */
  field: z.enum(['subject', 'preheader', 'mjml', 'from_name', 'from_email', 'reply_to']).nullable(),
  line: z.number().nullable(),
  /** The merge tag concerned, such as `contact.first_name`. */
  variable: z.string().nullable(),
  /** Number of recipients with the problem. If it is not exact, it is a lower bound: not all recipients were tried. */
  count: z.object({ empty: z.number(), recipients: z.number(), is_exact: z.boolean() }).nullable(),
});
export type TemplateProblem = z.infer<typeof TemplateProblem>;

/** An item of `reachout_templates` in the content backend. */
export const Template = z.object({
  id,
  title: z.string(),
  /** The slug of the title. */
  name: z.string(),
  /** The first words of the email, as text of at most 200 characters. Written by the server. */
  preview: z.string(),
  template_type: z.enum(templateTypes),
  mjml: z.string(),
  ...ownerFields,
  date_created: timestamp,
  date_updated: timestamp,
});
export type Template = z.infer<typeof Template>;

const Picture = z.object({
  /** Null if it is too long or cannot be rendered. */
  html: z.string().nullable(),
});

const title = filledLine(120, 'Enter a title.');
/** An email has at most 1 MB: characters are limited here, bytes on the server. */
export const mjmlSource = multiLine(1_000_000);
const inOrganization = memberOperations('Templates', 'organization_id');
// A template belongs to a content backend instead of a database table, so the organization is always part of the path.

export const templates = {
  list: inOrganization('GET /content/{organization_id}/templates', 'Templates', 'read Template')
    .input({
      ...usableBy,
      search,
      order: order(['title', 'date_updated'], 'date_updated.desc'),
      ...paging(),
    })
    .output(list(Template.omit({ mjml: true }))),
  create: inOrganization('POST /content/{organization_id}/templates', 'Create a template', 'create Template')
    .input({
      ...ownerInput,
      title,
      template_type: z.enum(templateTypes).default('email'),
      /** If omitted, the default template, or a letter of a few lines. */
      mjml: mjmlSource.optional(),
      /** Default template to start from. If its title is taken, a number is appended instead of rejecting the request. */
      starter: z.enum(templateStarters).optional(),
      /** Language of the default template. */
      language: z.enum(starterLanguages).default('en'),
    })
    .errors({ ...pickErrors('name_taken'), ...quotaErrors })
    .output(Template),
  get: inOrganization('GET /content/{organization_id}/templates/{id}', 'One template', 'read Template')
    .input({ id })
    .output(Template),
  picture: inOrganization(
    'GET /content/{organization_id}/templates/{id}/picture',
    'A template as a picture shows it, without a recipient',
    'read Template',
    { manualTransaction: true, isExpensive: true },
  )
    .input({
      id,
      /** The brand whose color, logo and addresses are used. Default: the brand that the template belongs to. */
      brand_id: id.optional(),
    })
    .output(Picture),
  starterPicture: inOrganization(
    'GET /content/{organization_id}/templates/starters/{starter}/picture',
    'A default template as a picture shows it, without a recipient',
    'read Template',
    { manualTransaction: true, isExpensive: true },
  )
    .input({
      starter: z.enum(templateStarters),
      language: z.enum(starterLanguages).default('en'),
      /** The brand whose color, logo and addresses are used. Default: an example. */
      brand_id: id.optional(),
    })
    .output(Picture),
  update: inOrganization(
    'PATCH /content/{organization_id}/templates/{id}',
    'Change a template',
    'update Template',
  )
    .input({
      id,
      ...ownerChanges,
      title: title.optional(),
      mjml: mjmlSource.optional(),
      /** The `date_updated` that the editor loaded: if the template was changed since, the update is rejected. */
      if_date_updated: timestampInput.optional(),
    })
    .errors({ ...pickErrors('name_taken', 'changed_elsewhere'), ...quotaErrors })
    .output(Template),
  duplicate: inOrganization(
    'POST /content/{organization_id}/templates/{id}/duplicate',
    'Copy a template',
    'create Template',
    { additionalPermissions: ['read Template'] },
  )
    /** If the title is taken, a number is appended. */
    .input({ id, title })
    .errors({ ...pickErrors('name_taken'), ...quotaErrors })
    .output(Template),
  delete: inOrganization(
    'DELETE /content/{organization_id}/templates/{id}',
    'Delete a template',
    'delete Template',
  )
    .input({ id })
    .output({ id }),
  preview: inOrganization(
    'POST /content/{organization_id}/templates/preview',
    'Render an unsaved template',
    'read Template',
    {
      // The response contains fields of a contact.
      additionalPermissions: ['read Content'],
      manualTransaction: true,
      isExpensive: true,
    },
  )
    .input({
      mjml: mjmlSource,
      subject: singleLine(300).default(''),
      preheader: singleLine(300).default(''),
      /** The brand whose names, color, logo and addresses are used. Default: those of an example. */
      brand_id: id.optional(),
      contact_id: itemKey.optional(),
      /** The contact's collection. If omitted: the first one that the brand can use, or else the first of all. */
      collection: collectionName.optional(),
    })
    .errors(backendFailed)
    .output({ html: z.string(), text: z.string(), problems: z.array(TemplateProblem) }),
};
