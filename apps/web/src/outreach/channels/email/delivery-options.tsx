import { Stack, Text } from '@mantine/core';
import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import { useTranslation } from 'react-i18next';
import { UncertainPolicyChoice } from '#web/identity/organizations/uncertain-policy-choice.tsx';
import { QuietText } from '#web/ui/text.ts';

interface Props {
  policy: UncertainPolicy;
  onChange: (policy: UncertainPolicy) => void;
}

/** How a send is delivered, in one line until it is opened: few people change it. */
export function DeliveryOptions({ policy, onChange }: Props) {
  const { t } = useTranslation('delivery');
  return (
    <Text component="details" size="sm" mt="xs" mb="md">
      <summary>{`${t('policy.title')}: ${t(`policy.name.${policy}`)}`}</summary>
      <Stack gap="sm" mt="xs">
        <QuietText>{t('policy.hint')}</QuietText>
        <UncertainPolicyChoice value={policy} onChange={onChange} />
      </Stack>
    </Text>
  );
}
