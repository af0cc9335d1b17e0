import { Button, CopyButton, type ButtonProps } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

interface Props extends ButtonProps {
  text: string;
  label: string;
  autoFocus?: boolean;
}

/** Copies a text to the clipboard and confirms it. */
export function CopyTextButton({ text, label, ...button }: Props) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button leftSection={<IconCopy size={16} />} {...button} onClick={copy}>
          {copied ? t('actions.copied') : label}
        </Button>
      )}
    </CopyButton>
  );
}
