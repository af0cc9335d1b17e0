import { Radio, Stack } from '@mantine/core';
import { uncertainPolicies, type UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietText } from '#web/ui/text.ts';

interface Props {
  value: UncertainPolicy;
  onChange: (policy: UncertainPolicy) => void;
  /** Why it cannot be changed; undefined if it can. */
  denialReason?: ReactNode;
}

/** What becomes of messages of which nobody knows whether they were sent. */
export function UncertainPolicyChoice({ value, onChange, denialReason }: Props) {
  const { t } = useTranslation('delivery');
  return (
    <Radio.Group
      aria-label={t('policy.title')}
      value={value}
      onChange={(chosen) => onChange(chosen === 'hold' ? 'hold' : 'retry')}
    >
      <Stack gap="sm">
        {uncertainPolicies.map((policy) => (
          <Radio
            key={policy}
            value={policy}
            disabled={denialReason !== undefined}
            label={t(`policy.name.${policy}`)}
            description={t(`policy.effect.${policy}`)}
          />
        ))}
      </Stack>
      {denialReason !== undefined && <QuietText mt="sm">{denialReason}</QuietText>}
    </Radio.Group>
  );
}
