import { VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { countCharacters } from '@reachout/contract/rules/lengths.ts';
import { useTranslation } from 'react-i18next';
import { FinePrint } from './text.ts';

/** Announced after a pause in typing: a number after each key would talk over the keys. */
const pauseMs = 1_000;

/** Says how much room is left, in the last tenth of it. */
export function CharactersLeft({ text, max }: { text: string; max: number }) {
  const { t } = useTranslation();
  const left = max - (text.length > max / 2 ? countCharacters(text) : text.length);
  const shown = left > max / 10 ? '' : left < 0 ? t('form.over', { over: -left }) : t('form.left', { left });
  const [announced] = useDebouncedValue(shown, pauseMs);
  return (
    <>
      {shown !== '' && (
        <FinePrint mt={4} aria-hidden>
          {shown}
        </FinePrint>
      )}
      <VisuallyHidden aria-live="polite">{announced}</VisuallyHidden>
    </>
  );
}
