import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AuthFrame } from './auth-frame.tsx';

interface Props {
  title: string;
  text: string;
  /** How to continue. */
  action: ReactNode;
  below?: ReactNode;
}

/** The result of a link in an email: one sentence and one way to continue. */
export const LinkResult = ({ title, text, action, below }: Props) => (
  <AuthFrame title={title} below={below}>
    <Stack gap="md">
      <Text role="status" className="break">
        {text}
      </Text>
      {action}
    </Stack>
  </AuthFrame>
);
