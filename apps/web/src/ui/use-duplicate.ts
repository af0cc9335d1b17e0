import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { maxNameLength } from '@reachout/contract/rules/lengths.ts';
import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from './notify.tsx';

interface Duplicate<I> {
  /** @param toInput  returns the operation's input for the name of the copy */
  run: (nameOfOriginal: string, toInput: (name: string) => I) => void;
  error: unknown;
}

/** Copies a record as “Copy of …”, in the user's language, and navigates to the copy. */
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
      // Counts Unicode characters, as the server does.
      const name = cutText(t('copyOf', { name: original }), maxNameLength, 'code_point').trim();
      mutate(toInput(name), {
        onSuccess: (copy) => {
          notify(t('copied'));
          void goTo(copy);
        },
      });
    },
  };
}
