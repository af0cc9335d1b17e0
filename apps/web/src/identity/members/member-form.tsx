import { Text } from '@mantine/core';
import { usesMemberClients } from '@reachout/contract/abilities.ts';
import type { Member } from '@reachout/contract/members.ts';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Person } from '#web/identity/organizations/person.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ClientChoice } from '#web/identity/roles/client-choice.tsx';
import { RoleChoice } from '#web/identity/roles/role-choice.tsx';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { notify } from '#web/ui/notify.tsx';

interface Props {
  member: Member;
  roles: readonly RoleDetails[];
  onClose: () => void;
}

/** Changes a member's role or clients. */
export function MemberForm({ member, roles, onClose }: Props) {
  const { t } = useTranslation('settings');
  const { api, orgId } = useOrganization();
  const needsClients = (role: string) =>
    usesMemberClients(roles.find((entry) => entry.role === role)?.rules ?? []);
  const update = useMutation(api.members.update.mutationOptions());
  const form = useServerForm({
    initial: { role: member.role, client_ids: member.clients.map(({ id }) => id) },
    checks: {
      // A member who already has the role can lose the last client.
      client_ids: (ids: string[], { role }: { role: string }) =>
        ids.length === 0 && role !== member.role && needsClients(role) ? t('members.clientNeeded') : null,
    },
    fieldOfCode: { beyond_own_rights: 'role', last_owner: 'role', not_a_member: 'role' },
    submit: async ({ role, client_ids }) => {
      await update.mutateAsync({
        id: orgId,
        user_id: member.user_id,
        role,
        client_ids: needsClients(role) ? client_ids : [],
      });
      notify(t('members.changed'));
      onClose();
    },
  });
  const { role, client_ids } = form.fields.getValues();
  return (
    <FormDrawer
      opened
      onClose={onClose}
      title={t('members.change')}
      form={form}
      submitLabel={t('members.save')}
    >
      <Person name={member.user.full_name} email={member.user.email} avatar={member.user.avatar_url} />
      <RoleChoice
        roles={roles}
        value={role}
        onChange={(next) => {
          form.fields.setFieldValue('role', next);
          form.fields.clearFieldError('role');
        }}
        error={form.fields.errors['role']}
      />
      {needsClients(role) && (
        <ClientChoice
          label={t('members.clients')}
          description={t('members.clientsHint')}
          chosen={member.clients}
          value={client_ids}
          onChange={(ids) => form.fields.setFieldValue('client_ids', ids)}
          error={form.fields.errors['client_ids']}
        />
      )}
      <Text size="sm" c="dimmed">
        {t('members.atOnce')}
      </Text>
    </FormDrawer>
  );
}
