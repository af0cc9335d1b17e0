import { Button, Group, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { leavesPage } from '#web/platform/list-search.ts';
import { Dialog } from './dialog.tsx';
import { useUnsavedWork } from './unsaved-work.ts';

interface Props {
  dirty: boolean;
  /** Whether a save is in progress: leaving waits for it, and asks only if changes remain afterwards. */
  saving: boolean;
  /** Returns whether saving succeeded; if not, the page is not left. */
  onSave: () => Promise<boolean>;
  /** For pages with autosave: they save before they are left, and ask only if that fails. */
  savesItself?: boolean;
}

/** Asks before leaving unsaved work by link, Back, organization switch or closing the tab, but not for search parameters. */
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
    <Dialog onClose={blocker.reset} title={t('unsaved.title')}>
      <Text mb="lg">{t('unsaved.body')}</Text>
      <Group justify="flex-end" gap="xs">
        <Button data-autofocus onClick={blocker.reset}>
          {t('unsaved.stay')}
        </Button>
        <Button c="var(--app-danger)" onClick={blocker.proceed}>
          {t('unsaved.discard')}
        </Button>
        <Button variant="filled" loading={leaving} onClick={() => void saveAndLeave()}>
          {t('unsaved.save')}
        </Button>
      </Group>
    </Dialog>
  );
}

/** @returns a function that waits until no save is in progress or needed, then returns whether anything is unsaved */
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
