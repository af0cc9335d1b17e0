import { Button, Divider, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { QuietText } from '#web/ui/text.ts';
import { authOptionsQuery } from './auth-options.ts';

/** Link to the demo, or how to open it; renders nothing without a demo. */
export function DemoOffer() {
  const { t } = useTranslation('auth');
  const { data } = useQuery(authOptionsQuery);
  if (!data?.demo) return null;
  return (
    <Stack gap="sm" mt="md">
      <Divider label={t('or')} labelPosition="center" />
      {data.demo === 'open' ? (
        // The server signs in and redirects.
        <Button component="a" href="/demo/open" fullWidth>
          {t('demo.open')}
        </Button>
      ) : (
        <QuietText ta="center">{t('demo.needsLink')}</QuietText>
      )}
    </Stack>
  );
}
