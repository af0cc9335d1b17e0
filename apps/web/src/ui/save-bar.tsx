import { Button, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import classes from './save-bar.module.css';

interface Props {
  /** Number of unsaved changes; if there are any, a bar is shown at the bottom edge. */
  changes: number;
  saving: boolean;
  /** Time of the last save on this page. */
  savedAt: Date | string | undefined;
  onSave: () => void;
  onDiscard: () => void;
}

/** The only way to save on a page: shows unsaved changes, and after saving the time of the save. */
export function SaveBar({ changes, saving, savedAt, onSave, onDiscard }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  useHotkeys([['mod+S', () => changes > 0 && !saving && onSave()]], [], true);
  const isDirty = changes > 0;
  const saved = savedAt === undefined ? '' : t('form.saved', { time: format.time(savedAt) });
  return (
    <div className={isDirty ? classes.bar : classes.quiet}>
      <Text
        role="status"
        className={classes.words}
        {...(isDirty ? { fw: 500 } : { size: 'sm', c: 'dimmed' })}
      >
        {isDirty ? t('form.unsaved', { count: changes }) : saved}
      </Text>
      {isDirty && (
        <>
          <Button disabled={saving} onClick={onDiscard}>
            {t('actions.discard')}
          </Button>
          <Button variant="filled" loading={saving} onClick={onSave}>
            {t('actions.save')}
          </Button>
        </>
      )}
    </div>
  );
}
