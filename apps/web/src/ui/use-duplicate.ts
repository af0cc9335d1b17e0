import { maxNameLength } from '@reachout/contract/rules/lengths.ts';
import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from './notify.tsx';

interface Duplicate<I> {
  /** @param toInput  the input of the operation, with the name that the copy gets */
  run: (nameOfOriginal: string, toInput: (name: string) => I) => void;
  error: unknown;
}

/** Copies a record under “Copy of …”, in the language of the person, and goes to the copy. */
export function useDuplicate<O, I, C>(
  options: UseMutationOptions<O, Error, I, C>,
  goTo: (copy: O) => Promise<unknown>,
): Duplicate<I> {
  const { t } = useTranslation();
  const { mutate, error, isPending } = useMutation(options);
  return {
    error,
    run: (original, toInput) => {
      if (isPending) return;
      // Characters of Unicode are what the server counts.
      const name = Array.from(t('copyOf', { name: original }))
        .slice(0, maxNameLength)
        .join('')
        .trim();
      mutate(toInput(name), {
        onSuccess: (copy) => {
          notify(t('copied'));
          void goTo(copy);
        },
      });
    },
  };
}
