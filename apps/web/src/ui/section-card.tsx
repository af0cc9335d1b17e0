import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  hint?: string;
  /** Where links within the page lead to. */
  id?: string;
  children: ReactNode;
}

/** One subject of a page: what it is, what it does, and the way to do it. */
export function SectionCard({ title, hint, id, children }: Props) {
  return (
    <Paper withBorder p="md" radius="md" component="section" {...(id === undefined ? {} : { id })}>
      <Title order={2} size="h3" mb={hint === undefined ? 'md' : 0}>
        {title}
      </Title>
      {hint !== undefined && (
        <Text c="dimmed" mb="md" maw={640}>
          {hint}
        </Text>
      )}
      {children}
    </Paper>
  );
}
