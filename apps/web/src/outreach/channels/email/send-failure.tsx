import { Text } from '@mantine/core';
import type { UncertainPolicy } from '@reachout/contract/statuses.ts';
import type { Touchpoint } from '@reachout/contract/touchpoints.ts';
import { useTranslation } from 'react-i18next';
import { isProblem, isRecord } from '#web/platform/problem.ts';
import { ActionError } from '#web/ui/states.tsx';

/** What the ways of sending an email need. */
export interface ConfirmationProps {
  touchpoint: Touchpoint;
  /** As shown; undefined if the number is unknown or hidden from the role. */
  recipients: number | undefined;
  /** Whether everything was confirmed that needs a confirmation of its own. */
  isConfirmed: boolean;
  /** What is confirmed, for the server. */
  input: {
    expected_recipients?: number;
    expected_version: string;
    sends_sample_content: boolean;
    uncertain_policy: UncertainPolicy;
  };
  onClose: () => void;
}

/** Why a send was rejected. */
export function SendFailure({ error }: { error: unknown }) {
  const { t } = useTranslation('touchpoints');
  if (isProblem(error) && error.code === 'changed_elsewhere')
    return (
      <Text role="alert" c="var(--app-danger)">
        {t('review.changedSince')}
      </Text>
    );
  if (!isProblem(error) || error.code !== 'audience_changed') return <ActionError error={error} />;
  const { data } = error.extra;
  const numbers = isRecord(data) ? data : error.extra;
  return (
    <Text role="alert" c="var(--app-danger)">
      {t('review.changed', {
        expected: Number(numbers['expected'] ?? 0),
        actual: Number(numbers['actual'] ?? 0),
      })}
    </Text>
  );
}
