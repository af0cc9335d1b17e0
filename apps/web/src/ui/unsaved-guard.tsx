import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { leavesPage } from '#web/platform/list-search.ts';
import { useUnsavedWork } from './unsaved-work.ts';

interface Props {
  dirty: boolean;
  /** A save is under way: leaving waits for it, and asks only if something is unsaved afterwards. */
  saving: boolean;
  /** Says whether saving worked; if not, the person stays. */
  onSave: () => Promise<boolean>;
  /** What is saved by itself is saved before it is left, and the question comes only if that fails. */
  savesItself?: boolean;
}

/** Asks before unsaved work is left by link, Back, organization switch or closing the tab; search changes pass. */
export function UnsavedGuard({ dirty, saving, onSave, savesItself = false }: Props) {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState(false);
  const waitForSave = useWaitForSave(dirty, saving);
  useUnsavedWork(dirty);
  const blocker = useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      dirty && leavesPage(current, next) && !(savesItself && (await onSave())) && (await waitForSave()),
    enableBeforeUnload: dirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  const saveAndLeave = async () => {
    setLeaving(true);
    const saved = await onSave();
    setLeaving(false);
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
        <Button loading={leaving} onClick={() => void saveAndLeave()}>
          {t('unsaved.save')}
        </Button>
      </Group>
    </Modal>
  );
}

/** @returns what waits until nothing is being saved, or nothing is left to save, and then says whether anything is */
function useWaitForSave(dirty: boolean, saving: boolean): () => Promise<boolean> {
  const latest = useRef({ dirty, saving });
  const waiting = useRef<((isDirty: boolean) => void)[]>([]);
  useEffect(() => {
    latest.current = { dirty, saving };
    if (dirty && saving) return;
    for (const resolve of waiting.current.splice(0)) resolve(dirty);
  }, [dirty, saving]);
  useEffect(
    () => () => {
      for (const resolve of waiting.current.splice(0)) resolve(false);
    },
    [],
  );
  return () =>
    latest.current.dirty && latest.current.saving
      ? new Promise((resolve) => waiting.current.push(resolve))
      : Promise.resolve(latest.current.dirty);
}
