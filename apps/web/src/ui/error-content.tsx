import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

/** A record that is saved here but did not reach the content backend. The backend's own words are shown as text. */
export function ErrorContent({ title, message }: { title: string; message: string }) {
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size={18} stroke={1.75} />}
      title={title}
      mb="md"
    >
      <Text size="sm">{message}</Text>
    </Alert>
  );
}
