import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SignUpFormPage } from '#web/contacts/sign-ups/sign-up-form-page.tsx';
import { loadSignUpFormTexts } from '#web/i18n/i18n.ts';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';

const signUpFormQuery = ({ api }: OrganizationContext, id: string) =>
  api.signUpForms.get.queryOptions({ input: { id } });

export const Route = createFileRoute('/o/$orgId/sign-up-forms/$formId')({
  beforeLoad: loadSignUpFormTexts,
  loader: ({ context, params }) => context.preload((scope) => [signUpFormQuery(scope, params.formId)]),
  component: OneForm,
});

function OneForm() {
  const { t } = useTranslation('signUpForms');
  const { formId } = Route.useParams();
  const query = useQuery(signUpFormQuery(useOrganization(), formId));
  return (
    <AsyncRegion page query={query} what={t('whatOne')}>
      {(form) => <SignUpFormPage key={form.id} form={form} />}
    </AsyncRegion>
  );
}
