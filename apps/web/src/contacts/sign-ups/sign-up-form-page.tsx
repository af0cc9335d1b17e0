import { Alert, Group } from '@mantine/core';
import type { Brand } from '@reachout/contract/clients.ts';
import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandChip } from '#web/clients/brands/brand-chip.tsx';
import { BrandEdge } from '#web/clients/brands/brand-edge.tsx';
import { topicsQuery } from '#web/clients/topics/topics-query.ts';
import { fieldsQuery } from '#web/content/collections/item-queries.ts';
import { useFormat } from '#web/i18n/format.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DeleteItem } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { client } from '#web/platform/api.ts';
import { changes } from '#web/platform/query-client.ts';
import { notify } from '#web/ui/notify.tsx';
import { SignUpFormDeletion } from './sign-up-form-deletion.tsx';
import { SignUpFormEditor } from './sign-up-form-editor.tsx';

/** One sign-up form: what it asks for, how it looks, and where it is used. */
export function SignUpFormPage({ form }: { form: SignUpForm }) {
  const { t } = useTranslation(['signUpForms', 'clients']);
  const { api } = useOrganization();
  const query = useQuery(api.brands.get.queryOptions({ input: { id: form.brand_id } }));
  return (
    <AsyncRegion page query={query} what={t('records.what', { records: t('words.brand') })}>
      {(brand) => <PageOfBrand form={form} brand={brand} />}
    </AsyncRegion>
  );
}

function PageOfBrand({ form, brand }: { form: SignUpForm; brand: Brand }) {
  const { t } = useTranslation(['signUpForms', 'clients']);
  const scope = useOrganization();
  const { orgId, can } = scope;
  const format = useFormat();
  const [deleting, setDeleting] = useState(false);
  const toggle = useSignUpFormSwitch();
  const fields = useQuery(fieldsQuery(scope, form.collection));
  const topics = useQuery(topicsQuery(scope, brand.id));
  const waitingCount = form.unwritten_count - form.failed_count;
  const attributes = { client_id: brand.client_id, brand_id: brand.id };
  return (
    <>
      <BrandEdge color={brand.color} />
      <PageHeader
        title={form.name}
        section={brand.name}
        crumbs={linkOptions([
          { to: '/o/$orgId/clients', params: { orgId }, label: t('words.clients') },
          { ...recordPages.client(orgId, brand.client.id), label: brand.client.name },
          {
            to: '/o/$orgId/brands/$brandId/sign-up-forms',
            params: { orgId, brandId: brand.id },
            label: brand.name,
          },
        ])}
        badge={<StatusBadge status={form.is_active ? 'active' : 'inactive'} />}
        note={
          <Group gap="xs">
            <BrandChip brand={brand} client={brand.client.name} />
            <span>
              {t('counts', {
                confirmed: format.number(form.confirmed_count),
                unconfirmed: format.number(form.unconfirmed_count),
              })}
            </span>
          </Group>
        }
        primary={
          <PermittedButton
            permission={['update', 'Consent']}
            record={attributes}
            loading={toggle.isPending}
            onClick={() => toggle.mutate(form)}
          >
            {t(form.is_active ? 'deactivate' : 'activate')}
          </PermittedButton>
        }
        more={can('delete', 'Consent', attributes) && <DeleteItem onClick={() => setDeleting(true)} />}
      />
      <ActionError error={toggle.error} />
      {!form.is_active && (
        <Alert color="yellow" mb="md" role="status" icon={<IconPlayerPause size={18} />}>
          {t('inactiveNote')}
        </Alert>
      )}
      {form.unwritten_count > 0 && (
        <Alert
          color="red"
          mb="md"
          role="status"
          icon={<IconAlertTriangle size={18} />}
          title={[
            waitingCount > 0 ? t('unwritten', { count: waitingCount }) : '',
            form.failed_count > 0 ? t('failed', { count: form.failed_count }) : '',
          ]
            .filter((sentence) => sentence !== '')
            .join(' ')}
        >
          {form.error_content}
        </Alert>
      )}
      <AsyncRegion query={fields} what={t('whatFields')}>
        {({ data }) => (
          <AsyncRegion query={topics} what={t('records.what', { records: t('words.topics') })}>
            {({ items }) => <SignUpFormEditor form={form} brand={brand} known={data} topics={items} />}
          </AsyncRegion>
        )}
      </AsyncRegion>
      {deleting && <SignUpFormDeletion form={form} onClose={() => setDeleting(false)} />}
    </>
  );
}

/** Activates an inactive form, and deactivates an active one. */
function useSignUpFormSwitch() {
  const { t } = useTranslation('signUpForms');
  const { orgId } = useOrganization();
  return useMutation({
    ...changes(orgId),
    mutationFn: ({ id, is_active }: SignUpForm) => client.signUpForms.update({ id, is_active: !is_active }),
    onSuccess: ({ is_active }) => notify(t(is_active ? 'activated' : 'deactivated')),
  });
}
