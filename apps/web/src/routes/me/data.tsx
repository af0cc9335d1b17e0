import { Stack } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DeleteAccount } from '#web/identity/account/delete-account.tsx';
import { ExportData } from '#web/identity/account/export-data.tsx';
import { MePage } from '#web/identity/account/me-page.tsx';

export const Route = createFileRoute('/me/data')({ component: Data });

function Data() {
  const { t } = useTranslation('account');
  return (
    <MePage title={t('entries.data')}>
      <Stack gap="md" maw={640}>
        <ExportData />
        <DeleteAccount />
      </Stack>
    </MePage>
  );
}
