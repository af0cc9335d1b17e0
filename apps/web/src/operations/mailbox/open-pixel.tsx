import { Button, Paper } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietText } from '#web/ui/text.ts';

/** Reading a message here is not counted as an open. This loads the message's pixel on purpose, as a mail program would. */
export function OpenPixel({ url }: { url: string }) {
  const { t } = useTranslation('mailbox');
  const [opened, setOpened] = useState(false);
  const { pathname, search } = new URL(url, location.href);
  return (
    <Paper withBorder p="md" radius="md">
      <Button leftSection={<IconEye size={16} />} disabled={opened} onClick={() => setOpened(true)}>
        {opened ? t('opened') : t('open')}
      </Button>
      <QuietText mt="xs">{t('openHint')}</QuietText>
      {/* The pixel is served by this server, whatever host the message names, so only its path is used. */}
      {opened && <img src={pathname + search} alt="" width={1} height={1} />}
    </Paper>
  );
}
