import { Button, Group, Modal, Text } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { IconArrowBackUp, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useAction } from '#web/ui/use-action.ts';

/** What can still be done about a send. Undo while nothing has gone out; a confirmed cancel after that. */
export function SendActions({ send }: { send: Send }) {
  const { t } = useTranslation(['sends', 'common']);
  const format = useFormat();
  const { orgId, can } = useOrganization();
  const action = useAction();
  const [confirming, setConfirming] = useState(false);
  if (!can('send', 'Touchpoint')) return null;

  const act = (call: (input: { id: string }) => Promise<unknown>, done?: string) =>
    action.run(async () => {
      await call({ id: send.id });
      await refreshOrganization(orgId);
      setConfirming(false);
      if (done) notify(done);
    });
  const moving = send.status === 'preparing' || send.status === 'sending';
  return (
    <div>
      <Group gap="xs">
        {send.status === 'queued' && (
          <Button
            leftSection={<IconArrowBackUp size={16} stroke={1.75} />}
            loading={action.pending}
            onClick={() => void act(client.sends.cancel, t('undone'))}
          >
            {t('undo')}
          </Button>
        )}
        {moving && (
          <Button
            variant="default"
            leftSection={<IconPlayerPause size={16} stroke={1.75} />}
            loading={action.pending}
            onClick={() => void act(client.sends.pause)}
          >
            {t('pause')}
          </Button>
        )}
        {send.status === 'paused' && (
          <Button
            leftSection={<IconPlayerPlay size={16} stroke={1.75} />}
            loading={action.pending}
            onClick={() => void act(client.sends.resume)}
          >
            {t('resume')}
          </Button>
        )}
        {(moving || send.status === 'paused') && (
          <Button variant="default" c="var(--app-danger)" onClick={() => setConfirming(true)}>
            {t('cancel')}
          </Button>
        )}
      </Group>
      {moving && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('pauseNote')}
        </Text>
      )}
      {!confirming && <ActionError error={action.error} />}
      <Modal
        opened={confirming}
        onClose={() => setConfirming(false)}
        title={t('cancelTitle')}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      >
        <Text mb="lg">
          {t('cancelBody', {
            sent: format.number(send.recipients_total_sent_count),
            left: format.number(send.recipients_queued_count),
          })}
        </Text>
        <ActionError error={action.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" data-autofocus onClick={() => setConfirming(false)}>
            {t('keep')}
          </Button>
          <Button color="red" loading={action.pending} onClick={() => void act(client.sends.cancel)}>
            {t('cancelConfirm')}
          </Button>
        </Group>
      </Modal>
    </div>
  );
}
