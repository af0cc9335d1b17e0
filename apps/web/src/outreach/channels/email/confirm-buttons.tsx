import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import brandAct from '#web/clients/brands/brand-act.module.css';

interface Props {
  label: string;
  isPending: boolean;
  disabled: boolean;
  /** Whether the safe choice has the focus at first. */
  focusesCancel?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** The last buttons before something is sent in the name of a brand. */
export function ConfirmButtons({ label, isPending, disabled, focusesCancel, onConfirm, onClose }: Props) {
  const { t } = useTranslation('touchpoints');
  return (
    <Group justify="flex-end" gap="xs" mt="md">
      <Button data-autofocus={focusesCancel || undefined} onClick={onClose}>
        {t('review.notYet')}
      </Button>
      <Button
        variant="filled"
        className={brandAct.button}
        loading={isPending}
        disabled={disabled}
        onClick={onConfirm}
      >
        {label}
      </Button>
    </Group>
  );
}
