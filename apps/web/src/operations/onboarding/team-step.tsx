import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { rolesQuery } from '#web/identity/roles/roles-query.ts';
import { AlreadyMembers } from '#web/identity/invitations/already-members.tsx';
import { useInviteForm } from '#web/identity/invitations/use-invite-form.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { Form } from '#web/ui/form.tsx';

export function TeamStep({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['settings', 'onboarding', 'common']);
  const { api, orgId } = useOrganization();
  const { data: roles } = useQuery(rolesQuery(api, orgId));
  const [known, setKnown] = useState<string[]>();
  const form = useInviteForm(roles?.items ?? [], (alreadyMembers) =>
    alreadyMembers.length === 0 ? onDone() : setKnown(alreadyMembers),
  );
  if (known !== undefined) {
    return <AlreadyMembers names={known} closeLabel={t('common:actions.continue')} onClose={onDone} />;
  }
  return (
    <Form
      form={form}
      submitLabel={t('invitations.send')}
      onCancel={onDone}
      cancelLabel={t('onboarding:welcome.skip')}
    >
      <Text c="dimmed">{t('onboarding:welcome.teamHint')}</Text>
      <RecordFields form={form} />
    </Form>
  );
}
