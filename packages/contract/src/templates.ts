import { z } from 'zod';
import { apiErrors } from './errors.ts';
import { memberOperation } from './operation.ts';
import { id, timestamp, itemKey, singleLine, list, order, paging, search, multiLine } from './values.ts';

export const templateTypes = ['email', 'layout', 'block'] as const;

/** A problem of a template: an `error` stops a send, a `warning` is shown. */
export const TemplateProblem = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  line: z.number().nullable(),
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
  date_created: timestamp,
  date_updated: timestamp,
});
export type Template = z.infer<typeof Template>;

const title = singleLine(120).min(1, 'Enter a title.');
/** A template has at most 1 MB; characters are counted here, bytes on the server. */
const mjml = multiLine(1_000_000);
const tag = 'Templates';
// A template belongs to a content backend, not to a table of ours: the organization is always part of the path.
const tenant = 'organization_id' as const;
const nameTaken = {
  name_taken: apiErrors.name_taken,
} as const;

export const templates = {
  list: memberOperation({
    method: 'GET',
    path: '/content/{organization_id}/templates',
    summary: 'Templates',
    tag,
    permission: ['read', 'Template'],
    tenant,
  })
    .input(
      z.strictObject({
        organization_id: id,
        search,
        order: order(['title', 'date_updated'], 'date_updated.desc'),
        ...paging(20),
      }),
    )
    .output(list(Template.omit({ mjml: true }))),
  create: memberOperation({
    method: 'POST',
    path: '/content/{organization_id}/templates',
    summary: 'Create a template',
    tag,
    permission: ['create', 'Template'],
    tenant,
  })
    .input(
      z.strictObject({
        organization_id: id,
        title,
        template_type: z.enum(templateTypes).default('email'),
        mjml: mjml.optional(),
      }),
    )
    .errors(nameTaken)
    .output(Template),
  get: memberOperation({
    method: 'GET',
    path: '/content/{organization_id}/templates/{id}',
    summary: 'One template',
    tag,
    permission: ['read', 'Template'],
    tenant,
  })
    .input(z.strictObject({ organization_id: id, id }))
    .output(Template),
  update: memberOperation({
    method: 'PATCH',
    path: '/content/{organization_id}/templates/{id}',
    summary: 'Change a template',
    tag,
    permission: ['update', 'Template'],
    tenant,
  })
    .input(
      z.strictObject({
        organization_id: id,
        id,
        title: title.optional(),
        mjml: mjml.optional(),
        /** The `date_updated` that the editor loaded: a template changed since by somebody else is not overwritten. */
        if_date_updated: timestamp.optional(),
      }),
    )
    .errors({
      ...nameTaken,
      changed_elsewhere: apiErrors.changed_elsewhere,
    })
    .output(Template),
  delete: memberOperation({
    method: 'DELETE',
    path: '/content/{organization_id}/templates/{id}',
    summary: 'Delete a template',
    tag,
    permission: ['delete', 'Template'],
    tenant,
  })
    .input(z.strictObject({ organization_id: id, id }))
    .errors({
      template_in_use: apiErrors.template_in_use,
    })
    .output(z.object({ id })),
  preview: memberOperation({
    method: 'POST',
    path: '/content/{organization_id}/templates/preview',
    summary: 'Render an unsaved template',
    tag,
    permission: ['read', 'Template'],
    // Shows a contact's own fields.
    additionalPermissions: [['read', 'Content']],
    tenant,
    manualTransaction: true,
  })
    .input(
      z.strictObject({
        organization_id: id,
        mjml,
        subject: singleLine(300).default(''),
        preheader: singleLine(300).default(''),
        contact_id: itemKey.optional(),
      }),
    )
    .output(z.object({ html: z.string(), text: z.string(), problems: z.array(TemplateProblem) })),
};
