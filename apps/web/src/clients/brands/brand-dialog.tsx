import { Group, Text } from '@mantine/core';
import type { BrandSummary } from '@reachout/contract/clients.ts';
import type { ReactNode } from 'react';
import { Dialog } from '#web/ui/dialog.tsx';
import brandAct from './brand-act.module.css';
import { BrandMark } from './brand-mark.tsx';

interface Props {
  brand: BrandSummary;
  title: string;
  size?: 'md' | 'lg' | 'xl';
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that confirms what is sent in the name of a brand. */
export function BrandDialog({ brand, title, size = 'md', onClose, children }: Props) {
  return (
    <Dialog
      onClose={onClose}
      size={size}
      classNames={{ content: brandAct.dialog ?? '' }}
      data-brand-color={brand.color}
      title={
        <Group gap="sm" wrap="nowrap">
          <BrandMark brand={brand} size={32} />
          <Text fw={650} size="lg">
            {title}
          </Text>
        </Group>
      }
    >
      {children}
    </Dialog>
  );
}
