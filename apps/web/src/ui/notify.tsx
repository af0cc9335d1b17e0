import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import i18next from 'i18next';
import classes from './notify.module.css';

/** As long as an offer needs to be read and taken. */
const offerMs = 8_000;

/**
 * A success worth a passing word, with a way back where there is one: a bar shows how long it is offered. Errors that need
 * action stay in place instead.
 */
export function notify(message: string, action?: { label: string; run: () => void }): void {
  const id = notifications.show({
    role: 'status',
    color: 'green',
    icon: <IconCheck size={18} />,
    autoClose: action ? offerMs : 3000,
    ...(action ? { className: classes.offer, style: { '--offer-ms': `${offerMs}ms` } } : {}),
    closeButtonProps: { 'aria-label': i18next.t('actions.close') },
    message: action ? (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <span>{message}</span>
        <Button
          size="compact-sm"
          variant="default"
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

/** What failed after its place on screen was left. */
export function notifyFailure(message: string): void {
  notifications.show({
    role: 'alert',
    color: 'red',
    icon: <IconAlertTriangle size={18} />,
    autoClose: false,
    closeButtonProps: { 'aria-label': i18next.t('actions.close') },
    message,
  });
}
