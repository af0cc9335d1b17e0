import { operations } from '../../identity/access/operations.ts';
import { renderPreview } from '../../email/templates/render-preview.ts';
import { createPictureCache } from '../../email/templates/picture-cache.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import { getCurrentTemplate } from './current-template.ts';
import { contextOfBrand, exampleContent } from './example-email.ts';

/** Renders a stored template, outside any transaction. @param setup  `publicUrl` has no trailing slash */
export function createTemplatePictureRoute({ publicUrl }: { publicUrl: string }) {
  const cache = createPictureCache();
  return operations.templates.picture.handler(async ({ input, context }) => {
    const { organizationId, userId, transaction } = context;
    const { mjml, emailContext } = await transaction(async (trx) => {
      const template = await getCurrentTemplate(trx, createBuiltInBackend(trx, context), input.id);
      const brandId = input.brand_id ?? template.brand_id;
      return { mjml: template.mjml, emailContext: await contextOfBrand(trx, brandId, publicUrl) };
    });
    const content = { ...exampleContent, mjml };
    const html = await cache.draw(
      { content, emailContext },
      async () => (await renderPreview(content, emailContext, {}, organizationId, userId)).html,
    );
    return { html };
  });
}
