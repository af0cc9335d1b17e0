import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { rolesQuery } from '#web/identity/roles/roles-query.ts';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { Form } from '#web/ui/form.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { useGuardedClose } from '#web/ui/use-guarded-close.tsx';
import { AlreadyMembers } from './already-members.tsx';
import { useInviteForm } from './use-invite-form.tsx';

/** Invites people by email. Stays open if some of them are already members, and names them. */
export function InviteForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['settings', 'common']);
  const { api, orgId } = useOrganization();
  useFocusBack();
  const [known, setKnown] = useState<string[]>();
  const { data: roles } = useQuery(rolesQuery(api, orgId));
  const form = useInviteForm(roles?.items ?? [], (alreadyMembers) =>
    alreadyMembers.length === 0 ? onClose() : setKnown(alreadyMembers),
  );
  const { close, closeOnEscape, question } = useGuardedClose(
    () => known === undefined && form.fields.isDirty(),
    onClose,
  );
  return (
    <Drawer
      opened
      onClose={close}
      closeOnEscape={closeOnEscape}
      title={t('invitations.invite')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      {known === undefined ? (
        <Form form={form} submitLabel={t('invitations.send')} onCancel={close}>
          <RecordFields form={form} />
        </Form>
      ) : (
        <AlreadyMembers names={known} closeLabel={t('common:actions.close')} onClose={onClose} />
      )}
      {question}
    </Drawer>
  );
}
