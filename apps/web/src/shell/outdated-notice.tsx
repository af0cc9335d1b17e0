import { Alert, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { checkRelease, useReleaseState } from '#web/platform/lazy-chunks.ts';

/**
 * A lazy chunk could not be loaded: because the server is away, or because a newer release has replaced the files
 * this tab still asks for. Loading anew is offered, not forced: typed work stays.
 */
export function OutdatedNotice() {
  const { t } = useTranslation();
  const releaseState = useReleaseState();
  if (releaseState === 'fine') return null;
  return (
    <Alert color="yellow" variant="light" radius={0} role="alert">
      <Group justify="space-between">
        {t(releaseState === 'away' ? 'error.network' : 'error.newVersion')}
        {releaseState === 'away' ? (
          <Button size="xs" variant="default" onClick={() => void checkRelease()}>
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
