import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { saveFile } from '#web/platform/save-file.ts';
import { notify } from '#web/ui/notify.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ActionError } from '#web/ui/states.tsx';

export function ExportData() {
  const { t } = useTranslation('account');
  const action = useMutation({
    mutationFn: async () => {
      const data = await client.me.export();
      const name = `reachout-${new Date().toISOString().slice(0, 10)}.json`;
      saveFile(name, JSON.stringify(data, null, 2), 'application/json');
      notify(t('data.exported'));
    },
  });
  return (
    <SectionCard title={t('data.export')} hint={t('data.exportBody')}>
      <Button
        loading={action.isPending}
        leftSection={<IconDownload size={16} />}
        onClick={() => action.mutate()}
      >
        {t('words.download')}
      </Button>
      <ActionError error={action.error} />
    </SectionCard>
  );
}
