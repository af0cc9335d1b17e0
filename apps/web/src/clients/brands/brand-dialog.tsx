import { Group, Modal, Text } from '@mantine/core';
import type { BrandSummary } from '@reachout/contract/clients.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
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
  const { t } = useTranslation('common');
  useFocusBack();
  return (
    <Modal
      opened
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
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {children}
    </Modal>
  );
}
