import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './send-progress-bar.module.css';

export type ExplainedState = 'suppressed' | 'skipped' | 'cancelled' | 'uncertain';

/** What the less common states of recipients mean. */
export default function SendLegend({ states }: { states: readonly ExplainedState[] }) {
  const { t } = useTranslation(['touchpoints', 'common']);
  return (
    <Text component="details" size="sm" c="dimmed" mt="xs">
      <summary>{t('recipientStates.legend')}</summary>
      <ul className={classes.hints}>
        {(['excluded', ...states] as const).map((state) => (
          <li key={state}>
            {t(`common:status.${state}`)}: {t(`recipientStates.hints.${state}`)}
          </li>
        ))}
      </ul>
    </Text>
  );
}
