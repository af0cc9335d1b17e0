import { Alert } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useSendErrorText } from '#web/ui/send-error-text.ts';

/** Why the send waits, paused or failed, and what to do. */
export function SendError({ send: { error, end_date } }: { send: Send }) {
  const text = useSendErrorText();
  if (error === null) return null;
  return (
    <Alert color={end_date === null ? 'yellow' : 'red'} icon={<IconAlertTriangle size={18} />}>
      {text(error)}
    </Alert>
  );
}
