import { Alert, Group, Text } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { ActionError } from '#web/ui/states.tsx';
import { useAction } from '#web/ui/use-action.ts';

/** Deliveries nobody can tell the outcome of wait for a person, where the send's policy says so. */
export function UncertainDeliveries({ send }: { send: Send }) {
  const { t } = useTranslation('sends');
  const { orgId } = useOrganization();
  const action = useAction();
  if (send.recipients_uncertain_count === 0) return null;
  const decide = (decision: 'retry' | 'treat_as_sent') =>
    void action.run(async () => {
      await client.sends.resolveUncertain({ id: send.id, decision });
      await refreshOrganization(orgId);
    });
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size={18} stroke={1.75} />}
      title={t('uncertainTitle', { count: send.recipients_uncertain_count })}
    >
      <Text size="sm" mb="sm">
        {t('uncertainBody')}
      </Text>
      <Group gap="xs">
        <PermittedButton
          permission={['send', 'Touchpoint']}
          size="xs"
          variant="default"
          loading={action.pending}
          onClick={() => decide('retry')}
        >
          {t('retryUncertain')}
        </PermittedButton>
        <PermittedButton
          permission={['send', 'Touchpoint']}
          size="xs"
          variant="default"
          loading={action.pending}
          onClick={() => decide('treat_as_sent')}
        >
          {t('treatAsSent')}
        </PermittedButton>
      </Group>
      <ActionError error={action.error} />
    </Alert>
  );
}
