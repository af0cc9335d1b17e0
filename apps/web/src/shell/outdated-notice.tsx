import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { askForParts, useReach } from '#web/platform/lazy-chunks.ts';

/**
 * A part of the app could not be loaded: because the server is away, or because a newer release has replaced the files
 * this tab still asks for. Loading anew is offered, not forced: typed work stays.
 */
export function OutdatedNotice() {
  const { t } = useTranslation();
  const reach = useReach();
  if (reach === 'fine') return null;
  return (
    <Alert color="yellow" variant="light" radius={0} role="alert">
      <Group justify="space-between">
        {t(reach === 'away' ? 'error.network' : 'error.newVersion')}
        {reach === 'away' ? (
          <Button size="xs" variant="default" onClick={() => void askForParts()}>
            {t('actions.retry')}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            {t('error.reload')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
