import { Group } from '@mantine/core';
import { recordLists } from '@reachout/contract/record-lists.ts';
import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { IconForms } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useBrand } from '#web/clients/clients/client-context.ts';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { NewSignUpForm } from '#web/contacts/sign-ups/new-sign-up-form.tsx';
import { SignUpFormDeletion } from '#web/contacts/sign-ups/sign-up-form-deletion.tsx';
import { signUpFormList, signUpFormsQuery } from '#web/contacts/sign-ups/sign-up-queries.ts';
import { loadSignUpFormTexts } from '#web/i18n/i18n.ts';
import type { ListColumn } from '#web/identity/account/list-columns.tsx';
import {
  countColumn,
  nameColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '#web/identity/lists/columns.tsx';
import { RecordLink } from '#web/identity/lists/record-link.tsx';
import { RecordList } from '#web/identity/lists/record-list.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { recordPages } from '#web/identity/lists/record-pages.ts';

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
  const record = { client_id: brand.client_id, brand_id: brand.id };
  return (
    <RecordList
      records={recordLists.signUpForms}
      query={useQuery(signUpFormsQuery(useOrganization(), brand.id, Route.useSearch()))}
      list={signUpFormList}
      page={record}
      header={(create) =>
        create && (
          <Group justify="flex-end" mb="md">
            {create}
          </Group>
        )
      }
      texts="signUpForms"
      icon={IconForms}
      columns={useColumns()}
      nameOf={({ name }) => name}
      create={{
        permission: ['create', 'Consent'],
        record,
        variant: 'default',
        form: (close) => <NewSignUpForm brand={brand} onClose={close} />,
      }}
      shown={{
        toggle: {
          label: ({ is_active }) => t(is_active ? 'deactivate' : 'activate'),
          done: ({ is_active }) => t(is_active ? 'deactivated' : 'activated'),
        },
        delete: { open: (form, close) => <SignUpFormDeletion form={form} onClose={close} /> },
      }}
    />
  );
}

function useColumns(): ListColumn<SignUpForm>[] {
  const { t } = useTranslation(['signUpForms', 'common']);
  const nameOf = useCollectionName();
  return [
    nameColumn({
      header: t('common:form.name'),
      cell: ({ id, name, is_active }) => (
        <RecordLink
          page={recordPages.signUpForm}
          id={id}
          name={name}
          {...(is_active ? {} : { c: 'dimmed' })}
        />
      ),
    }),
    statusColumn(t('words.status'), (form) => (form.is_active ? 'active' : 'inactive')),
    textColumn('collection', t('collection'), ({ collection }) => nameOf(collection)),
    countColumn('confirmed', t('words.confirmed'), (form) => form.confirmed_count),
    countColumn('unconfirmed', t('unconfirmed'), (form) => form.unconfirmed_count),
    timeColumn('updated_at', t('words.updated'), (form) => form.updated_at, { hide: 1 }),
  ];
}
