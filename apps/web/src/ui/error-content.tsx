import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  message: string;
  /** How the user can fix it. */
  action: ReactNode;
}

/**
 * A record that is saved on the platform but was not written to the content backend. The backend's message is shown as text.
 */
export function ErrorContent({ title, message, action }: Props) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={title} mb="md">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="break">
          {message}
        </Text>
        {action}
      </Stack>
    </Alert>
  );
}
