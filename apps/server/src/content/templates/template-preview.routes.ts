import { operations } from '../../identity/access/operations.ts';
import { findContactCollection } from '../audiences/contact-collection.ts';
import { findExampleContacts, findTagFields } from '../audiences/find-audience.ts';
import { backendAccessOf, findContact } from '../audiences/find-contact.ts';
import type { DirectusDeps } from '../directus/connection.ts';
import { previewTagProblems } from '../audiences/preview-merge-tags.ts';
import { invalidInput } from '../../platform/http/api-error.ts';
import { renderPreview } from '../../email/templates/render-preview.ts';
import { contextOfBrand, exampleContent } from './example-email.ts';
import { toTemplateProblem } from './template-problem.ts';

/** Renders unsaved template content, outside any transaction. @param setup  `publicUrl` has no trailing slash */
export const createPreviewTemplateRoute = ({ publicUrl, content: deps }: Setup) =>
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
    // The subject belongs to the email that uses the template.
    const problems = warnings.filter(({ code }) => code !== 'subject_empty');
    const tagProblems = await previewTagProblems(transaction, { tags, fields, contact: contact?.data });
    return { html, text, problems: [...problems, ...tagProblems].map(toTemplateProblem) };
  });

interface Setup {
  publicUrl: string;
  content: DirectusDeps;
}
