import { Alert, Button, Group, Text } from '@mantine/core';
import { IconEye, IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from './use-organization.ts';

/** Shown above every page: why nothing can be changed at present. */
export function AccessNotices({ retrying, onRetry }: { retrying: boolean; onRetry: () => void }) {
  const { t } = useTranslation(['organizations', 'common']);
  const { organization, suspended, rulesKnown } = useOrganization();
  return (
    <>
      {suspended && (
        <Alert color="yellow" mb="md" icon={<IconLock size={18} />} title={t('suspended.title')}>
          {t('suspended.body')}
          {organization.status_reason !== null && (
            <div className="break">{t('suspended.reason', { reason: organization.status_reason })}</div>
          )}
        </Alert>
      )}
      {!rulesKnown && (
        <Alert color="yellow" mb="md" role="alert" icon={<IconEye size={18} />} title={t('readOnly.title')}>
          <Group justify="space-between" gap="sm">
            <Text size="sm">{t('readOnly.body')}</Text>
            <Button size="xs" loading={retrying} onClick={onRetry}>
              {t('common:actions.retry')}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}
