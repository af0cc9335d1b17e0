import { Group } from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBrand } from '#web/clients/clients/client-context.ts';
import { NewSignUpForm } from '#web/contacts/sign-ups/new-sign-up-form.tsx';
import { SignUpFormTable } from '#web/contacts/sign-ups/sign-up-form-table.tsx';
import { signUpFormList, signUpFormsQuery } from '#web/contacts/sign-ups/sign-up-queries.ts';
import { loadSignUpFormTexts } from '#web/i18n/i18n.ts';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ListPage } from '#web/ui/list-page.tsx';
import { EmptyState } from '#web/ui/states.tsx';

export const Route = createFileRoute('/o/$orgId/brands/$brandId/sign-up-forms')({
  ...signUpFormList.route,
  beforeLoad: loadSignUpFormTexts,
  loader: ({ context, params, deps }) =>
    context.preload((scope) => [signUpFormsQuery(scope, params.brandId, deps)]),
  component: SignUpForms,
});

function SignUpForms() {
  const { t } = useTranslation('signUpForms');
  const brand = useBrand();
  const scope = useOrganization();
  const [adding, setAdding] = useState(false);
  const query = useQuery(signUpFormsQuery(scope, brand.id, Route.useSearch()));
  const create = (
    <CreateButton
      variant="default"
      permission={['create', 'Consent']}
      record={{ client_id: brand.client_id, brand_id: brand.id }}
      onClick={() => setAdding(true)}
    >
      {t('new')}
    </CreateButton>
  );
  return (
    <>
      <ListPage
        query={query}
        what={t('what')}
        create={create}
        header={(action) =>
          action && (
            <Group justify="flex-end" mb="md">
              {action}
            </Group>
          )
        }
        empty={(action) => (
          <EmptyState icon={IconForms} title={t('empty.title')} text={t('empty.body')} actions={action} />
        )}
        list={signUpFormList}
      >
        {(table) => <SignUpFormTable {...table} brand={brand} />}
      </ListPage>
      {adding && <NewSignUpForm brand={brand} onClose={() => setAdding(false)} />}
    </>
  );
}
