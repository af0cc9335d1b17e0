import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  dirty: boolean;
  /** Says whether saving worked; if not, the person stays. */
  onSave: () => Promise<boolean>;
}

let dirtyGuards = 0;

/** Whether leaving now would lose something; for what leaves without going to another address. */
export const hasUnsavedWork = (): boolean => dirtyGuards > 0;

/** Asks before unsaved work is left by link, Back, organization switch or closing the tab; search changes pass. */
export function UnsavedGuard({ dirty, onSave }: Props) {
  const { t } = useTranslation();
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    if (!dirty) return undefined;
    dirtyGuards += 1;
    return () => {
      dirtyGuards -= 1;
    };
  }, [dirty]);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: dirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  const saveAndLeave = async () => {
    setSaving(true);
    const saved = await onSave();
    setSaving(false);
    if (saved) blocker.proceed();
    else blocker.reset();
  };
  return (
    <Modal
      opened
      onClose={blocker.reset}
      title={t('unsaved.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Text mb="lg">{t('unsaved.body')}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" data-autofocus onClick={blocker.reset}>
          {t('unsaved.stay')}
        </Button>
        <Button variant="default" c="var(--app-danger)" onClick={blocker.proceed}>
          {t('unsaved.discard')}
        </Button>
        <Button loading={saving} onClick={() => void saveAndLeave()}>
          {t('unsaved.save')}
        </Button>
      </Group>
    </Modal>
  );
}
