import { Alert, Group, Text } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PermittedButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ActionError } from '#web/ui/states.tsx';

const decisions = [
  { decision: 'retry', label: 'retryUncertain' },
  { decision: 'treat_as_sent', label: 'treatAsSent' },
] as const;

/** Deliveries with an unknown result that wait for a decision, if the send's policy requires one. */
export function UncertainDeliveries({ send }: { send: Send }) {
  const { t } = useTranslation('sendPage');
  const { api } = useOrganization();
  const decide = useMutation(api.sends.resolveUncertain.mutationOptions());
  if (send.recipients_uncertain_count === 0) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size={18} stroke={1.75} />}
      title={t('uncertain', { count: send.recipients_uncertain_count })}
    >
      <Text size="sm" mb="sm">
        {t('uncertainBody')}
      </Text>
      <Group gap="xs">
        {decisions.map(({ decision, label }) => (
          <PermittedButton
            key={decision}
            permission={['send', 'Touchpoint']}
            size="xs"
            variant="default"
            loading={decide.isPending}
            onClick={() => decide.mutate({ id: send.id, decision })}
          >
            {t(label)}
          </PermittedButton>
        ))}
      </Group>
      <ActionError error={decide.error} />
    </Alert>
  );
}
