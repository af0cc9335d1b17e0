import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import i18next from 'i18next';
import classes from './notify.module.css';

/** Time to read and use the offered action. */
const offerMs = 8_000;

/**
 * Shows a transient success message, optionally with an action such as Undo; a bar shows the remaining time. Errors that
 * need action are shown in place instead.
 */
export function notify(message: string, action?: { label: string; run: () => void }): void {
  const id = notifications.show({
    role: 'status',
    color: 'green',
    icon: <IconCheck size={18} className="thick-icon" />,
    autoClose: action ? offerMs : 3000,
    ...(action ? { className: classes.offer, style: { '--offer-ms': `${offerMs}ms` } } : {}),
    closeButtonProps: { 'aria-label': i18next.t('actions.close') },
    message: action ? (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <span>{message}</span>
        <Button
          size="compact-sm"
          onClick={() => {
            notifications.hide(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      </Group>
    ) : (
      message
    ),
  });
}

/** Options of a mutation whose success is shown. */
export const notifyOf = (message: string) => ({ onSuccess: () => notify(message) });

/** Reports a failure whose place on screen is no longer shown. */
export function notifyFailure(message: string): void {
  notifications.show({
    role: 'alert',
    color: 'red',
    icon: <IconAlertTriangle size={18} className="thick-icon" />,
    autoClose: false,
    closeButtonProps: { 'aria-label': i18next.t('actions.close') },
    message,
  });
}
