import { operations } from '../../identity/access/operations.ts';
import { withBackend } from '../built-in/with-backend.ts';
import { apiError } from '../../platform/http/api-error.ts';
import { previewTemplateRoute } from './template-preview.routes.ts';
import { isUsedByEmail } from './template.queries.ts';
import { starterMjml } from './starters.ts';
import {
  createTemplate,
  deleteTemplate,
  findFreeTitle,
  getTemplate,
  listTemplates,
  updateTemplate,
} from './templates.ts';

export const templateRoutes = {
  list: withBackend(operations.templates.list, (backend, input) => listTemplates(backend, input)),
  create: withBackend(operations.templates.create, async (backend, { starter, language, ...input }) => {
    if (starter === undefined) return await createTemplate(backend, input);
    const { mjml = starterMjml(starter, language) } = input;
    return await createTemplate(backend, {
      ...input,
      mjml,
      title: await findFreeTitle(backend, input.title),
    });
  }),
  get: withBackend(operations.templates.get, (backend, input) => getTemplate(backend, input.id)),
  update: withBackend(operations.templates.update, (backend, input) =>
    updateTemplate(backend, input.id, {
      title: input.title,
      mjml: input.mjml,
      ifDateUpdated: input.if_date_updated,
    }),
  ),
  duplicate: withBackend(operations.templates.duplicate, async (backend, input) => {
    const { template_type, mjml } = await getTemplate(backend, input.id);
    return await createTemplate(backend, {
      title: await findFreeTitle(backend, input.title),
      template_type,
      mjml,
    });
  }),
  delete: withBackend(operations.templates.delete, async (backend, input, context, trx) => {
    const { title } = await getTemplate(backend, input.id);
    if (await isUsedByEmail(trx, context.organizationId, input.id)) {
      throw apiError('template_in_use');
    }
    await deleteTemplate(backend, input.id);
    context.note({ record_name: title });
    return { id: input.id };
  }),
  preview: previewTemplateRoute,
};
