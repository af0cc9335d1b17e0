import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { notify } from '#web/ui/notify.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ActionError } from '#web/ui/states.tsx';

export function ExportData() {
  const { t } = useTranslation('account');
  const action = useMutation({
    mutationFn: async () => {
      const data = await client.me.export();
      const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' });
      const url = URL.createObjectURL(file);
      const link = document.createElement('a');
      link.href = url;
      link.download = `reachout-${new Date().toISOString().slice(0, 10)}.json`;
      link.click();
      URL.revokeObjectURL(url);
      notify(t('data.exported'));
    },
  });
  return (
    <SectionCard title={t('data.export')} hint={t('data.exportBody')}>
      <Button
        variant="default"
        loading={action.isPending}
        leftSection={<IconDownload size={16} stroke={1.75} />}
        onClick={() => action.mutate()}
      >
        {t('data.exportAction')}
      </Button>
      <ActionError error={action.error} />
    </SectionCard>
  );
}
