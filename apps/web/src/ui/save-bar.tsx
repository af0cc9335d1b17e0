import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './save-bar.module.css';

interface Props {
  /** How many values differ from what is stored; the bar shows from one on. */
  count: number;
  pending: boolean;
  onDiscard: () => void;
  onSave: () => void;
}

/** Sticks to the bottom edge while something is not saved. */
export function SaveBar({ count, pending, onDiscard, onSave }: Props) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <div className={classes.bar} role="region" aria-label={t('form.unsaved', { count })}>
      <Text role="status" fw={500} className={classes.count}>
        {t('form.unsaved', { count })}
      </Text>
      <Button variant="default" onClick={onDiscard}>
        {t('actions.discard')}
      </Button>
      <Button loading={pending} onClick={onSave}>
        {t('actions.save')}
      </Button>
    </div>
  );
}
