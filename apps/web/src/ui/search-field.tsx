import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useDebounced } from './debounce.ts';

interface Props {
  /** The current search, from the URL. */
  value: string;
  onSearch: (value: string) => void;
  label: string;
}

/** In characters; the limit of the server. */
export const maxSearchLength = 200;

/** Debounced; Enter searches at once. */
export function SearchField({ value, onSearch, label }: Props) {
  const { t } = useTranslation();
  const router = useRouter();
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // Back, or "Clear filters", changes the URL while the field is shown.
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const search = (next: string) => {
    if (next.trim() !== value && next.trim().length <= maxSearchLength) onSearch(next.trim());
  };
  const searchLater = useDebounced(search);
  // Cancels a pending search when the user navigates away, as it would navigate back.
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) searchLater.cancel();
      }),
    [router, searchLater],
  );
  // A list that stays beside the record that is open now searches for what was typed meanwhile.
  useEffect(
    () => router.subscribe('onResolved', ({ pathChanged }) => pathChanged && searchLater(text)),
    [router, searchLater, text],
  );

  const searchNow = (next: string) => {
    searchLater.cancel();
    search(next);
  };
  const change = (next: string) => {
    setText(next);
    searchLater(next);
  };

  return (
    <TextInput
      type="search"
      data-search-field
      aria-label={label}
      placeholder={label}
      value={text}
      error={text.trim().length > maxSearchLength && t('form.tooLong', { max: maxSearchLength })}
      w={{ base: '100%', sm: 320 }}
      leftSection={<IconSearch size={16} />}
      rightSection={
        text === '' ? null : (
          <CloseButton
            size="sm"
            aria-label={t('words.clearSearch')}
            onClick={() => {
              setText('');
              searchNow('');
            }}
          />
        )
      }
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') searchNow(text);
      }}
    />
  );
}
