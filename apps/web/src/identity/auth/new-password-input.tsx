import { Text, type PasswordInputProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxPasswordLength, minPasswordLength } from '@reachout/contract/rules/lengths.ts';
import { strengthOf, type Strength } from './password-strength.ts';
import { PasswordInput } from '#web/ui/password-input.tsx';

interface Props extends PasswordInputProps {
  /** Name and address, which must not be part of the password. */
  known?: readonly string[];
}

/** Shows the rule before typing, and the strength as text while typing. */
export function NewPasswordInput({ known = [], ...props }: Props) {
  const { t } = useTranslation('auth');
  const strength = useStrength(typeof props.value === 'string' ? props.value : '', known);
  return (
    <div>
      <PasswordInput
        autoComplete="new-password"
        description={t('passwordRule', { min: minPasswordLength })}
        aria-invalid={Boolean(props.error)}
        {...props}
      />
      <Text size="sm" mt={4} role="status" mih={20}>
        {strength && t(`strength.${strength}`, { min: minPasswordLength })}
      </Text>
    </div>
  );
}

/** Undefined for an empty password and until the dictionaries are loaded. */
function useStrength(password: string, known: readonly string[]): Strength | undefined {
  const [strength, setStrength] = useState<Strength>();
  const words = known.join('\n');
  useEffect(() => {
    let isCurrent = true;
    // Loading the dictionaries may fail: the strength is only a hint, and without a connection nothing can be saved anyway.
    strengthOf(password, words.split('\n')).then(
      (found) => isCurrent && setStrength(found),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [password, words]);
  return password === '' ? undefined : strength;
}

/** The validation that belongs to the input, translated. */
export function useNewPasswordCheck(): (value: string) => string | null {
  const { t } = useTranslation(['auth', 'common']);
  return (value) => {
    if (value.length < minPasswordLength) return t('passwordShort', { min: minPasswordLength });
    return value.length > maxPasswordLength ? t('common:form.tooLong', { max: maxPasswordLength }) : null;
  };
}
