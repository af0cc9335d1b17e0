import { Alert, Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A newer release has replaced the files this tab still asks for. Offered, not forced: typed work stays. */
export function OutdatedNotice() {
  const { t } = useTranslation();
  const [outdated, setOutdated] = useState(false);
  useEffect(() => {
    const show = () => setOutdated(true);
    document.addEventListener('reachout:outdated', show);
    return () => document.removeEventListener('reachout:outdated', show);
  }, []);
  if (!outdated) return null;
  return (
    <Alert color="yellow" variant="light" radius={0} role="alert">
      <Group justify="space-between">
        {t('error.newVersion')}
        <Button size="xs" variant="default" onClick={() => location.reload()}>
          {t('error.reload')}
        </Button>
      </Group>
    </Alert>
  );
}
