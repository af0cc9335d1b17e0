import { Group, Paper, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import columns from './two-columns.module.css';

// Skeletons of pages that are not part of the first load.

const range = (length: number) => Array.from({ length }, (_, index) => index);

/** Form fields, each below its label. */
export function FieldsSkeleton({ fields }: { fields: number }) {
  return (
    <Stack gap="md">
      {range(fields).map((field) => (
        <div key={field}>
          <Skeleton height={10} width={96} mt={6} mb={9} />
          <Skeleton height={36} />
        </div>
      ))}
    </Stack>
  );
}

/** A card with its title and content, such as lines of a label and a value. */
export function CardSkeleton({ lines = 4, children }: { lines?: number; children?: ReactNode }) {
  return (
    <Paper withBorder p="md" radius="md">
      <Skeleton height={16} width={144} mb="lg" />
      {children ?? (
        <Stack gap={16}>
          {range(lines).map((line) => (
            <Group key={line} justify="space-between" wrap="nowrap">
              <Skeleton height={10} width={`${24 + ((line * 11) % 20)}%`} />
              <Skeleton height={10} width="20%" />
            </Group>
          ))}
        </Stack>
      )}
    </Paper>
  );
}

/** Cards below each other, each with its number of lines. */
export function StackSkeleton({ cards }: { cards: readonly number[] }) {
  return (
    <Stack gap="md">
      {cards.map((lines, index) => (
        <CardSkeleton key={index} lines={lines} />
      ))}
    </Stack>
  );
}

interface ColumnsProps {
  /** The cards of the wide column, and those of the narrow one. */
  main: readonly number[];
  beside: readonly number[];
  below?: ReactNode;
}

/** Two columns of cards, and what is below both. */
export function ColumnsSkeleton({ main, beside, below }: ColumnsProps) {
  return (
    <Stack gap="lg">
      <div className={columns.columns}>
        <StackSkeleton cards={main} />
        <StackSkeleton cards={beside} />
      </div>
      {below}
    </Stack>
  );
}

/** Metric tiles, each with its name above and a note below. */
export function TilesSkeleton({ tiles }: { tiles: number }) {
  return (
    <SimpleGrid cols={{ base: 2, md: tiles }} spacing="md">
      {range(tiles).map((tile) => (
        <Paper key={tile} withBorder p="md" radius="md">
          <Skeleton height={10} width={72} mt={6} mb={14} />
          <Skeleton height={24} width={88} mb={14} />
          <Skeleton height={8} width="64%" />
        </Paper>
      ))}
    </SimpleGrid>
  );
}

/** An email in its frame, below the device selection. */
export function PreviewSkeleton() {
  return (
    <div>
      <Group justify="space-between" mb="sm">
        <Skeleton height={36} width={240} />
        <Skeleton height={16} width={96} />
      </Group>
      <Skeleton height={674} radius="md" />
    </div>
  );
}
