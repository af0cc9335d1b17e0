import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  /** What the list is searched for now; comes from the address. */
  value: string;
  onSearch: (value: string) => void;
  label: string;
}

const debounceMs = 500;

/** Waits 500 ms after the last key; Enter does not wait. */
export function SearchField({ value, onSearch, label }: Props) {
  const { t } = useTranslation();
  const router = useRouter();
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // Back, or "Clear filters", changes the address under the field.
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const search = (next: string) => {
    if (next.trim() !== value) onSearch(next.trim());
  };
  const searchLater = useDebouncedCallback(search, debounceMs);
  // Anyone who is on the way to another page already must not be called back by a search that waits.
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) searchLater.cancel();
      }),
    [router, searchLater],
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
      maxLength={200}
      w={{ base: '100%', sm: 320 }}
      leftSection={<IconSearch size={16} stroke={1.75} />}
      rightSection={
        text === '' ? null : (
          <CloseButton
            size="sm"
            aria-label={t('search.clear')}
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
