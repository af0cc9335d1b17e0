import type { RoleDetails } from '@reachout/contract/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { notify } from '#web/ui/notify.tsx';
import { RecordDrawer } from '#web/ui/record-drawer.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

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
  const create = useMutation(api.organizationRoles.create.mutationOptions());
  const form = useRecordForm(boundsOf('organizationRoles.create'), {
    fields: {
      name: { label: t('roles.name') },
      from: {
        label: t('roles.from'),
        hint: t('roles.fromHint'),
        initial: from,
        options: roles.map(({ role, name }) => ({ value: role, label: roleName({ role, role_name: name }) })),
      },
    },
    fieldOfCode: { name_taken: 'name', beyond_own_rights: 'from' },
    save: async (values) => {
      const created = await create.mutateAsync({
        id: orgId,
        name: values.name,
        rules: roles.find(({ role }) => role === values.from)?.rules ?? [],
      });
      notify(t('roles.created'));
      await navigate({ to: '/o/$orgId/settings/roles/$role', params: { orgId, role: created.role } });
    },
  });
  return <RecordDrawer form={form} title={t('roles.new')} submitLabel={t('roles.new')} onClose={onClose} />;
}
