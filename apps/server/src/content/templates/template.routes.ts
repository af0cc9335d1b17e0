import type { Template } from '@reachout/contract/templates.ts';
import type { EmailContext } from '../../email/email-content.ts';
import { createPictureCache } from '../../email/templates/picture-cache.ts';
import { renderPreview } from '../../email/templates/render-preview.ts';
import {
  operations,
  inTransaction,
  type Operation,
  type OperationContext,
} from '../../identity/access/operations.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import { contextOfBrand, exampleContent } from './example-email.ts';
import {
  findUsableBy,
  resolveOwner,
  resolveOwnerChange,
  withOwners,
  isOwnerCurrent,
} from '../owners/owners.ts';
import { findDeletedOwners } from './template.queries.ts';
import { starterMjml } from './starters.ts';
import {
  createTemplate,
  deleteTemplate,
  findFreeTitle,
  listTemplates,
  updateTemplate,
  getTemplate,
  type StoredTemplate,
} from './templates.ts';
import { notFound } from '../../platform/http/api-error.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import type { AnySchema, ErrorMap, InferSchemaInput, InferSchemaOutput } from '@orpc/contract';

export const createTemplateRoutes = (setup: { publicUrl: string }) => ({
  list: withBackend(operations.templates.list, async (backend, input, _context, trx) => {
    const { client_id, brand_id, ...list } = input;
    const usableBy = await findUsableBy(trx, { client_id, brand_id });
    if (usableBy === 'unknown') return { items: [], count: 0 };
    const deleted = await findDeletedOwners(trx);
    const { items, count } = await listTemplates(backend, { ...list, usableBy, deleted });
    return { items: await withOwners(trx, items), count };
  }),
  create: withBackend(operations.templates.create, async (backend, input, _context, trx) => {
    const { starter, language, client_id, brand_id, ...given } = input;
    const owner = await resolveOwner(trx, { client_id, brand_id });
    const { mjml = starter && starterMjml(starter, language) } = given;
    const title = starter === undefined ? given.title : await findFreeTitle(backend, given.title);
    return await described(trx, await createTemplate(backend, { ...given, ...owner, mjml, title }));
  }),
  get: withBackend(operations.templates.get, async (backend, input, _context, trx) =>
    described(trx, await getCurrentTemplate(trx, backend, input.id)),
  ),
  update: withBackend(operations.templates.update, async (backend, input, _context, trx) => {
    const { id, title, mjml, client_id, brand_id, if_date_updated: ifDateUpdated } = input;
    const current = await getCurrentTemplate(trx, backend, id);
    const owner = await resolveOwnerChange(trx, current, { client_id, brand_id });
    return await described(trx, await updateTemplate(backend, id, { title, mjml, owner, ifDateUpdated }));
  }),
  duplicate: withBackend(operations.templates.duplicate, async (backend, input, _context, trx) => {
    const { template_type, mjml, client_id, brand_id } = await getCurrentTemplate(trx, backend, input.id);
    const title = await findFreeTitle(backend, input.title);
    return await described(
      trx,
      await createTemplate(backend, { title, template_type, mjml, client_id, brand_id }),
    );
  }),
  delete: withBackend(operations.templates.delete, async (backend, input, context, trx) => {
    const { title } = await getCurrentTemplate(trx, backend, input.id);
    await deleteTemplate(backend, input.id);
    context.note({ record_name: title });
    return { id: input.id };
  }),
  ...createTemplatePictureRoutes(setup),
});

const described = async (trx: Transaction, template: StoredTemplate): Promise<Template> =>
  (await withOwners(trx, [template]))[0]!;

/** Render a stored and a default template, outside any transaction. @param setup  `publicUrl` has no trailing slash */
function createTemplatePictureRoutes({ publicUrl }: { publicUrl: string }) {
  const cache = createPictureCache();
  const draw = async (mjml: string, emailContext: EmailContext, organizationId: string, userId?: string) => {
    const content = { ...exampleContent, mjml };
    const html = await cache.draw(
      { content, emailContext },
      async () => (await renderPreview(content, emailContext, {}, organizationId, userId)).html,
    );
    return { html };
  };
  return {
    picture: operations.templates.picture.handler(async ({ input, context }) => {
      const { organizationId, userId, transaction } = context;
      const { mjml, emailContext } = await transaction(async (trx) => {
        const template = await getCurrentTemplate(trx, createBuiltInBackend(trx, context), input.id);
        const brandId = input.brand_id ?? template.brand_id;
        return { mjml: template.mjml, emailContext: await contextOfBrand(trx, brandId, publicUrl) };
      });
      return await draw(mjml, emailContext, organizationId, userId);
    }),
    starterPicture: operations.templates.starterPicture.handler(async ({ input, context }) => {
      const { starter, language, brand_id } = input;
      const { organizationId, userId, transaction } = context;
      const emailContext = await transaction((trx) => contextOfBrand(trx, brand_id ?? null, publicUrl));
      return await draw(starterMjml(starter, language), emailContext, organizationId, userId);
    }),
  };
}

/** @throws 404 also for a template whose client or brand is deleted */
async function getCurrentTemplate(
  trx: Transaction,
  backend: ContentBackend,
  id: string,
): Promise<StoredTemplate> {
  const template = await getTemplate(backend, id);
  if (!(await isOwnerCurrent(trx, template))) throw notFound();
  return template;
}

/** Implements an operation on the built-in backend of the caller's organization, in one transaction. */
const withBackend = <I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  operation: Operation<I, O, E>,
  work: (
    backend: ContentBackend,
    input: InferSchemaOutput<I>,
    context: OperationContext,
    trx: Transaction,
  ) => Promise<InferSchemaInput<O>>,
) =>
  inTransaction(operation, (trx, input, context) =>
    work(createBuiltInBackend(trx, context), input, context, trx),
  );
