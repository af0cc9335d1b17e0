import { usesMemberClients } from '@reachout/contract/abilities.ts';
import type { Member } from '@reachout/contract/members.ts';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Person } from '#web/identity/organizations/person.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ClientChoice } from '#web/identity/roles/client-choice.tsx';
import { RoleChoice } from '#web/identity/roles/role-choice.tsx';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { QuietText } from '#web/ui/text.ts';
import { useRecordForm } from '#web/ui/use-record-form.ts';

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
  const form = useRecordForm(boundsOf('members.update'), {
    record: { role: member.role, client_ids: member.clients.map(({ id }) => id) },
    fields: {
      role: { input: RoleChoice, inputProps: { roles } },
      client_ids: {
        label: t('members.clients'),
        hint: t('members.clientsHint'),
        input: ClientChoice,
        inputProps: { chosen: member.clients },
        isShown: ({ role }) => needsClients(String(role)),
      },
    },
    checks: {
      // A member who already has the role can lose the last client.
      client_ids: (ids, { role }) =>
        ids.length === 0 && role !== member.role ? t('members.clientNeeded') : null,
    },
    fieldOfCode: { beyond_own_rights: 'role', last_owner: 'role', not_a_member: 'role' },
    save: ({ role, client_ids }) =>
      update.mutateAsync({
        id: orgId,
        user_id: member.user_id,
        role,
        client_ids: needsClients(role) ? client_ids : [],
      }),
    notice: t('members.changed'),
    onClose,
  });
  return (
    <FormDrawer onClose={onClose} title={t('members.change')} form={form} submitLabel={t('members.change')}>
      <Person name={member.user.full_name} email={member.user.email} avatar={member.user.avatar_url} />
      <RecordFields form={form} />
      <QuietText>{t('members.atOnce')}</QuietText>
    </FormDrawer>
  );
}
