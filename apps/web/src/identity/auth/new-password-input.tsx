import { PasswordInput, Text, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { maxPassword, minPassword, strengthOf } from './password-strength.ts';

interface Props extends PasswordInputProps {
  /** Name and address: not to be part of it. */
  known?: readonly string[];
}

/** Says the rule before typing, and the strength in words while typing. */
export function NewPasswordInput({ known = [], ...props }: Props) {
  const { t } = useTranslation('session');
  const typed = typeof props.value === 'string' ? props.value : '';
  const strength = strengthOf(typed, known);
  return (
    <div>
      <PasswordInput
        autoComplete="new-password"
        maxLength={maxPassword}
        description={t('passwordRule', { min: minPassword })}
        aria-invalid={Boolean(props.error)}
        {...props}
      />
      <Text size="sm" mt={4} role="status" mih={20}>
        {typed !== '' && t(`strength.${strength}`, { min: minPassword })}
      </Text>
    </div>
  );
}

/** The check that belongs to it, in the reader's language. */
export function useNewPasswordCheck(): (value: string) => string | null {
  const { t } = useTranslation('session');
  return (value) => (value.length < minPassword ? t('passwordShort', { min: minPassword }) : null);
}
