import { operations } from '../../identity/access/operations.ts';
import { withBackend } from '../built-in/with-backend.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { previewTemplateRoute } from './template-preview.routes.ts';
import { isUsedByEmail } from './template.queries.ts';
import { createTemplate, deleteTemplate, getTemplate, listTemplates, updateTemplate } from './templates.ts';

export const templateRoutes = {
  list: operations.templates.list.handler(({ input, context }) =>
    withBackend(context, (backend) => listTemplates(backend, input)),
  ),
  create: operations.templates.create.handler(({ input, context }) =>
    withBackend(context, (backend) => createTemplate(backend, input)),
  ),
  get: operations.templates.get.handler(({ input, context }) =>
    withBackend(context, (backend) => getTemplate(backend, input.id)),
  ),
  update: operations.templates.update.handler(({ input, context }) =>
    withBackend(context, (backend) =>
      updateTemplate(backend, input.id, {
        title: input.title,
        mjml: input.mjml,
        ifDateUpdated: input.if_date_updated,
      }),
    ),
  ),
  delete: operations.templates.delete.handler(({ input, context }) =>
    withBackend(context, async (backend, trx) => {
      const { title } = await getTemplate(backend, input.id);
      if (await isUsedByEmail(trx, context.organizationId, input.id)) {
        throw apiError('template_in_use');
      }
      await deleteTemplate(backend, input.id);
      context.note({ record_name: title });
      return { id: input.id };
    }),
  ),
  preview: previewTemplateRoute,
};
