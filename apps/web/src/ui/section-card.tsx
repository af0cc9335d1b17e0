import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { SectionTitle } from './text.ts';

interface Props {
  title: string;
  hint?: string;
  /** Target of links within the page. */
  id?: string;
  children: ReactNode;
}

/** A section of a page: title, explanation and content. */
export function SectionCard({ title, hint, id, children }: Props) {
  return (
    <Paper withBorder p="md" radius="md" component="section" {...(id === undefined ? {} : { id })}>
      <SectionTitle mb={hint === undefined ? 'md' : 0}>{title}</SectionTitle>
      {hint !== undefined && (
        <Text c="dimmed" mb="md" maw={640}>
          {hint}
        </Text>
      )}
      {children}
    </Paper>
  );
}
