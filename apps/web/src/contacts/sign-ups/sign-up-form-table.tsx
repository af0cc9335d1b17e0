import { Menu } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import type { TableState } from '#web/ui/list-page.tsx';
import { DeleteItem, RowMenu } from '#web/ui/row-menu.tsx';
import { RowName } from '#web/ui/row-name.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Time } from '#web/ui/time.tsx';
import { SignUpFormDeletion } from './sign-up-form-deletion.tsx';
import { useSignUpFormSwitch } from './use-sign-up-form-switch.ts';

interface Props extends TableState<SignUpForm> {
  brand: Brand;
}

export function SignUpFormTable({ brand, ...table }: Props) {
  const { t } = useTranslation('signUpForms');
  const { can } = useOrganization();
  const [deleting, setDeleting] = useState<SignUpForm>();
  const toggle = useSignUpFormSwitch();
  const attributes = { client_id: brand.client_id, brand_id: brand.id };
  const mayUpdate = can('update', 'Consent', attributes);
  const mayDelete = can('delete', 'Consent', attributes);
  const rowActions = (form: SignUpForm) => (
    <RowMenu name={form.name}>
      {mayUpdate && (
        <Menu.Item onClick={() => toggle.mutate(form)}>
          {t(form.is_active ? 'deactivate' : 'activate')}
        </Menu.Item>
      )}
      {mayDelete && <DeleteItem onClick={() => setDeleting(form)} />}
    </RowMenu>
  );
  return (
    <>
      <ActionError error={toggle.error} />
      <DataTable
        {...table}
        isDense
        label={t('title')}
        columns={useColumns()}
        rowActions={mayUpdate || mayDelete ? rowActions : undefined}
      />
      {deleting && <SignUpFormDeletion form={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

function useColumns(): Column<SignUpForm>[] {
  const { t } = useTranslation(['signUpForms', 'common']);
  const { orgId } = useOrganization();
  const format = useFormat();
  const nameOf = useCollectionName();
  return [
    {
      header: t('common:form.name'),
      cell: (form) => (
        <RowName>
          <LinkAnchor
            to="/o/$orgId/sign-up-forms/$formId"
            params={{ orgId, formId: form.id }}
            title={form.name}
            {...(form.is_active ? {} : { c: 'dimmed' })}
          >
            {form.name}
          </LinkAnchor>
        </RowName>
      ),
    },
    {
      header: t('common:filter.status'),
      cell: (form) => <StatusBadge status={form.is_active ? 'active' : 'inactive'} />,
    },
    {
      header: t('collection'),
      cell: ({ collection }) => (
        <span className="cut-line" title={nameOf(collection)}>
          {nameOf(collection)}
        </span>
      ),
    },
    { header: t('confirmed'), align: 'end', cell: (form) => format.number(form.confirmed_count) },
    { header: t('unconfirmed'), align: 'end', cell: (form) => format.number(form.unconfirmed_count) },
    { header: t('updated'), hide: 1, cell: (form) => <Time at={form.updated_at} /> },
  ];
}
