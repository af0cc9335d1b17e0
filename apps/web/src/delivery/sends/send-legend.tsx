import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { QuietText } from '#web/ui/text.ts';

export type ExplainedState = 'suppressed' | 'skipped' | 'cancelled' | 'uncertain';

/** What the less common states of recipients mean. */
export default function SendLegend({ states }: { states: readonly ExplainedState[] }) {
  const { t } = useTranslation(['touchpoints', 'common']);
  return (
    <QuietText component="details" mt="xs">
      <summary>{t('recipientStates.legend')}</summary>
      <Box component="ul" m={0} mt={4} ps={20}>
        {(['excluded', ...states] as const).map((state) => (
          <li key={state}>
            {t(`common:status.${state}`)}: {t(`recipientStates.hints.${state}`)}
          </li>
        ))}
      </Box>
    </QuietText>
  );
}
