import { PasswordInput as MantinePasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Mantine's password input with the label of its button translated. */
export function PasswordInput(props: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <MantinePasswordInput
      visibilityToggleButtonProps={{ 'aria-label': t('actions.showPassword') }}
      {...props}
    />
  );
}
