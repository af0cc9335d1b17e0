import { renderPreview } from '../../email/templates/render-preview.ts';
import { operations } from '../../identity/access/operations.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { contextOfBrand, exampleContent } from '../../content/templates/example-email.ts';
import { toTemplateProblem } from '../../content/templates/template-problem.ts';
import { findContactCollection } from '../../content/gateway/contact-collection.ts';
import { findExampleContacts, findTagFields } from './find-audience.ts';
import { backendAccessOf, findContact } from './find-contact.ts';
import { previewTagProblems } from './preview-merge-tags.ts';

/** Renders unsaved template content with a contact's values, outside any transaction. @param setup  `publicUrl` has no trailing slash */
export const createTemplatePreviewRoute = ({
  publicUrl,
  content: deps,
}: {
  publicUrl: string;
  content: DirectusDeps;
}) =>
  operations.templates.preview.handler(async ({ input, context }) => {
    const { organizationId, userId, transaction } = context;
    // Does not reveal the fields of a collection that the user cannot see.
    const { collection, fields, emailContext } = await transaction(async (trx) => {
      const from = input.collection ?? (await findExampleContacts(trx, organizationId, input.brand_id)) ?? '';
      return {
        collection: from,
        fields:
          (await findContactCollection(trx, organizationId, from)) &&
          (await findTagFields(trx, organizationId, from)),
        emailContext: await contextOfBrand(trx, input.brand_id ?? null, publicUrl),
      };
    });
    const contact =
      input.contact_id === undefined
        ? undefined
        : await findContact(backendAccessOf(deps, context), collection, input.contact_id);
    if (input.contact_id !== undefined && contact === undefined)
      throw invalidInput('contact_id', 'There is no such contact.');
    const { mjml, subject, preheader } = input;
    const content = { ...exampleContent, subject, preheader, mjml };
    const { html, text, tags, warnings } = await renderPreview(
      content,
      emailContext,
      contact?.data ?? {},
      organizationId,
      userId,
    );
    // The subject belongs to the email that uses the template, whose review knows the tracked websites, too.
    const problems = warnings.filter(({ code }) => code !== 'subject_empty' && code !== 'link_signed');
    const tagProblems = await previewTagProblems(transaction, { tags, fields, contact: contact?.data });
    return { html, text, problems: [...problems, ...tagProblems].map(toTemplateProblem) };
  });
