import { Menu, Text, TextInput } from '@mantine/core';
import type { RoleDetails, RolePermission } from '@reachout/contract/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useDeleteAndLeave } from '#web/identity/organizations/use-delete-and-leave.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { RoleForm } from './role-form.tsx';
import { RoleMatrix } from './role-matrix.tsx';
import { columnActions, accessScopeOfRole, isCell, rowSubjects } from './permissions.ts';

/** One role: its permissions and, for custom roles, its name. */
export function RoleEditor({ role, roles }: { role: RoleDetails; roles: readonly RoleDetails[] }) {
  const { t } = useTranslation(['settings', 'common']);
  const { api, orgId, can } = useOrganization();
  const roleName = useRoleName();
  const navigate = useNavigate();
  const checkName = useNameCheck();
  const [dialog, setDialog] = useState<'copy' | 'delete'>();
  const canChange = can('update', 'Member');
  const editable = !role.built_in && canChange;
  const name = roleName({ role: role.role, role_name: role.name });
  const update = useMutation(api.organizationRoles.update.mutationOptions());
  const remove = useDeleteAndLeave(
    api.organizationRoles.delete.mutationOptions(),
    () => navigate({ to: '/o/$orgId/settings/roles', params: { orgId }, ignoreBlocker: true }),
    t('common:deleted', { what: name }),
  );
  const form = useServerForm<{ name: string; rules: RolePermission[] }>({
    initial: { name: role.name, rules: role.rules },
    checks: { name: checkName },
    fieldOfCode: { name_taken: 'name' },
    submit: async (values) => {
      const saved = { name: values.name.trim(), rules: values.rules };
      await update.mutateAsync({ id: orgId, role: role.role, ...saved });
      form.setSaved(saved);
    },
  });
  const { rules } = form.fields.getValues();
  const changes = editable
    ? countChangedCells(role.rules, rules, orgId) + (form.fields.isDirty('name') ? 1 : 0)
    : 0;

  return (
    <>
      <PageHeader
        title={name}
        section={t('sections.roles')}
        note={t('roles.memberCount', { count: role.member_count })}
        crumbs={linkOptions([
          { to: '/o/$orgId/settings/general', params: { orgId }, label: t('title') },
          { to: '/o/$orgId/settings/roles', params: { orgId }, label: t('sections.roles') },
        ])}
        more={
          canChange && (
            <>
              <Menu.Item onClick={() => setDialog('copy')}>{t('roles.copy')}</Menu.Item>
              {!role.built_in && (
                <Menu.Item c="var(--app-danger)" onClick={() => setDialog('delete')}>
                  {t('roles.delete')}
                </Menu.Item>
              )}
            </>
          )
        }
      />
      <SaveBarForm form={form} changes={changes}>
        {role.built_in && <Text>{t('roles.builtInHint')}</Text>}
        {editable && <TextInput label={t('roles.name')} maw={420} {...form.fields.getInputProps('name')} />}
        <div>
          <RoleMatrix
            label={t('roles.matrix', { name })}
            rules={rules}
            onChange={editable ? (next) => form.fields.setFieldValue('rules', next) : undefined}
          />
        </div>
        {editable && <Text size="sm">{t('roles.limit')}</Text>}
      </SaveBarForm>
      {dialog === 'copy' && <RoleForm roles={roles} from={role.role} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t('roles.deleteQuestion', { name })}
          confirmLabel={t('roles.delete')}
          onClose={() => setDialog(undefined)}
          onConfirm={() => remove.mutateAsync({ id: orgId, role: role.role })}
        >
          <Text>{t('roles.deleteEffect')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}

function countChangedCells(
  stored: readonly RolePermission[],
  current: readonly RolePermission[],
  orgId: string,
): number {
  if (stored === current) return 0;
  const cells = rowSubjects.flatMap((subject) =>
    columnActions.filter((action) => isCell(action, subject)).map((action) => ({ subject, action })),
  );
  return cells.filter(
    ({ subject, action }) =>
      JSON.stringify(accessScopeOfRole(stored, action, subject, orgId)) !==
      JSON.stringify(accessScopeOfRole(current, action, subject, orgId)),
  ).length;
}
