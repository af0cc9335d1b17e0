import type { FieldBounds } from '@reachout/contract/input-bounds.ts';
import { isEmail, isPhone, isWebAddress } from '@reachout/contract/rules/addresses.ts';
import { hasAtMost } from '@reachout/contract/rules/lengths.ts';
import type { TextFormat } from '@reachout/contract/values.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { isEmptyValue, isNumberWithin, typedText } from './field-values.ts';

/** @returns a function that says what is wrong with a value by the bounds of its field; null if nothing is */
export function useFieldCheck(): (
  value: unknown,
  bounds: FieldBounds | undefined,
  missing?: string,
) => string | null {
  const { t } = useTranslation();
  const format = useFormat();
  return (value, bounds, missing = t('form.required')) => {
    if (bounds === undefined) return null;
    if (isEmptyValue(value)) return bounds.required ? missing : null;
    const { min = -Infinity, max = Infinity } = bounds;
    if (bounds.type === 'number') {
      if (isNumberWithin(Number(value), bounds)) return null;
      const range = { min: format.number(min), max: format.number(max) };
      return bounds.decimals === 0
        ? t('form.wholeNumber', range)
        : t('form.number', { ...range, decimals: bounds.decimals });
    }
    if (typeof value !== 'string') return null;
    const text = typedText(value, bounds);
    if (!hasAtMost(max, text)) return t('form.tooLong', { max });
    const rule = formats[bounds.format ?? 'multi-line'];
    return rule === undefined || rule.isMet(text) ? null : t(rule.text);
  };
}

/** The rules of the server. Controls offer nothing but valid values of the other formats. */
const formats: Partial<Record<TextFormat, FormatRule>> = {
  email: { isMet: isEmail, text: 'form.email' },
  phone: { isMet: isPhone, text: 'words.enterPhone' },
  'web-address': { isMet: isWebAddress, text: 'words.enterUrl' },
};

interface FormatRule {
  isMet: (text: string) => boolean;
  text: 'form.email' | 'words.enterPhone' | 'words.enterUrl';
}
