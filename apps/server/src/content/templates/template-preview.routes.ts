import { operations } from '../../identity/access/operations.ts';
import { findContact } from '../audiences/find-audience.ts';
import { renderPreview } from '../../email/templates/render-preview.ts';
import { toTemplateProblem } from './template-problem.ts';

/** Names that stand in while a template belongs to no campaign yet. */
const exampleContext = {
  organization: { name: 'Organization' },
  client: { name: 'Client' },
  brand: { name: 'Brand' },
  campaign: { name: 'Campaign' },
  touchpoint: { name: 'Email' },
  item: {},
};

/** Renders what an author is typing; it holds no transaction while it does. */
export const previewTemplateRoute = operations.templates.preview.handler(async ({ input, context }) => {
  const contact = await context.transaction((trx) =>
    findContact(trx, context.organizationId, undefined, input.contact_id),
  );
  const { mjml, subject, preheader } = input;
  const content = {
    subject,
    preheader,
    mjml,
    from_name: '',
    from_email: 'preview@example.com',
    reply_to: null,
  };
  const { html, text, warnings } = await renderPreview(
    content,
    exampleContext,
    contact?.data ?? {},
    context.organizationId,
    context.userId,
  );
  // The subject belongs to the email that uses the template.
  const problems = warnings.filter(({ code }) => code !== 'subject_empty').map(toTemplateProblem);
  return { html, text, problems };
});
