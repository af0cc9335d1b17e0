import { Radio, Stack } from '@mantine/core';
import { trackingPolicies, type TrackingPolicy } from '@reachout/contract/statuses.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Empty until somebody has decided. */
  value?: TrackingPolicy | '';
  onChange: (policy: TrackingPolicy) => void;
  error?: ReactNode;
}

/** Whose opens and clicks are measured in emails of the brand. */
export function TrackingPolicyField({ value = '', onChange, ...rest }: Props) {
  const { t } = useTranslation('clients');
  return (
    <Radio.Group
      label={t('tracking.label')}
      description={t('tracking.hint')}
      value={value}
      onChange={(chosen) => onChange(chosen as TrackingPolicy)}
      {...rest}
    >
      <Stack gap="sm" mt="xs">
        {trackingPolicies.map((policy) => (
          <Radio
            key={policy}
            value={policy}
            label={t(`tracking.name.${policy}`)}
            description={t(`tracking.effect.${policy}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
