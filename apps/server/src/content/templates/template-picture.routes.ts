import type { EmailContext } from '../../email/email-content.ts';
import { createPictureCache } from '../../email/templates/picture-cache.ts';
import { renderPreview } from '../../email/templates/render-preview.ts';
import { operations } from '../../identity/access/operations.ts';
import { createBuiltInBackend } from '../built-in/built-in-backend.ts';
import { getCurrentTemplate } from './current-template.ts';
import { contextOfBrand, exampleContent } from './example-email.ts';
import { starterMjml } from './starters.ts';

/** Render a stored and a default template, outside any transaction. @param setup  `publicUrl` has no trailing slash */
export function createTemplatePictureRoutes({ publicUrl }: { publicUrl: string }) {
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
