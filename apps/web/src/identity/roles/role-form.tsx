import { Select, TextInput } from '@mantine/core';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { notify } from '#web/ui/notify.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';

/** Creates a custom role with the permissions of another role, to be changed on its page. */
export function RoleForm({
  roles,
  from = 'analyst',
  onClose,
}: {
  roles: readonly RoleDetails[];
  /** The role to copy. */
  from?: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('settings');
  const { api, orgId } = useOrganization();
  const roleName = useRoleName();
  const navigate = useNavigate();
  const checkName = useNameCheck();
  const create = useMutation(api.organizationRoles.create.mutationOptions());
  const form = useServerForm({
    initial: { name: '', from },
    checks: { name: checkName },
    fieldOfCode: { name_taken: 'name', beyond_own_rights: 'from' },
    submit: async (values) => {
      const created = await create.mutateAsync({
        id: orgId,
        name: values.name.trim(),
        rules: roles.find(({ role }) => role === values.from)?.rules ?? [],
      });
      notify(t('roles.created'));
      await navigate({ to: '/o/$orgId/settings/roles/$role', params: { orgId, role: created.role } });
    },
  });
  return (
    <FormDrawer opened onClose={onClose} title={t('roles.new')} form={form} submitLabel={t('roles.create')}>
      <TextInput data-autofocus label={t('roles.name')} {...form.fields.getInputProps('name')} />
      <Select
        label={t('roles.from')}
        description={t('roles.fromHint')}
        allowDeselect={false}
        data={roles.map(({ role, name }) => ({ value: role, label: roleName({ role, role_name: name }) }))}
        {...form.fields.getInputProps('from')}
      />
    </FormDrawer>
  );
}
