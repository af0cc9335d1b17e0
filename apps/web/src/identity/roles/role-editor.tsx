import { Menu, Text } from '@mantine/core';
import type { RoleDetails, RolePermission } from '@reachout/contract/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoleName } from '#web/identity/organizations/role-name.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useDeleteAndLeave } from '#web/identity/organizations/use-delete-and-leave.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { RoleForm } from './role-form.tsx';
import { RoleMatrix } from './role-matrix.tsx';
import { columnActions, accessScopeOfRole, isCell, rowSubjects } from './permissions.ts';

/** One role: its permissions and, for custom roles, its name. */
export function RoleEditor({ role, roles }: { role: RoleDetails; roles: readonly RoleDetails[] }) {
  const { t } = useTranslation(['settings', 'common']);
  const { api, orgId, can } = useOrganization();
  const roleName = useRoleName();
  const navigate = useNavigate();
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
  const form = useRecordForm(boundsOf('organizationRoles.update'), {
    record: role,
    fields: { name: { label: t('roles.name'), inputProps: { maw: 420 } }, rules: {} },
    fieldOfCode: { name_taken: 'name' },
    save: async (values) => {
      await update.mutateAsync({ id: orgId, role: role.role, ...values });
      return values;
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
          { to: '/o/$orgId/settings/general', params: { orgId }, label: t('words.settings') },
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
        {editable && <RecordFields form={form} only={['name']} />}
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
          text={t('roles.deleteEffect')}
          confirmLabel={t('roles.delete')}
          onClose={() => setDialog(undefined)}
          onConfirm={() => remove.mutateAsync({ id: orgId, role: role.role })}
        />
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
