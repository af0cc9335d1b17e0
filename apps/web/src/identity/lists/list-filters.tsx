import { NativeSelect, SegmentedControl, Select } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useChangeSearch } from '#web/platform/use-change-search.ts';

/** A choice among values that limits a list. Its value is a parameter of the URL, which the list's `filters` parse. */
export interface ListFilter {
  name: string;
  label: string;
  /** What is shown if nothing is chosen. */
  any: string;
  options: readonly { value: string; label: string }[];
  /** Few options, which are all visible; or the browser's select, also with a visible label. Else, what is shown is enough. */
  look?: 'segments' | 'native' | 'labelled';
  /** Whether options are found by typing. */
  isSearchable?: boolean;
  /** One of several lists rather than a part of one: it stays while the list is empty. */
  isView?: boolean;
}

/** Something else that limits a list: the names of its parameters in the URL, and what is shown, if anything. */
export interface OtherFilter {
  names: readonly string[];
  control: ReactNode;
  isView?: false;
}

/** No parameter has this value. */
const anything = '*';

interface Props {
  filters: readonly (ListFilter | OtherFilter)[];
}

export function ListFilters({ filters }: Props) {
  return filters.map((filter) =>
    'control' in filter ? (
      <Fragment key={filter.names.join()}>{filter.control}</Fragment>
    ) : (
      <Choice key={filter.name} {...filter} />
    ),
  );
}

function Choice({ name, label, any, options, look, isSearchable = false }: ListFilter) {
  const change = useChangeSearch<Record<string, string>>();
  const address: Record<string, unknown> = useSearch({ strict: false });
  const value = options.find((option) => option.value === address[name])?.value;
  const choices = [{ value: anything, label: any }, ...options];
  const choose = (next: string | null) =>
    change({ [name]: next === null || next === anything ? undefined : next });
  if (look === 'native' || look === 'labelled')
    return (
      <NativeSelect
        {...(look === 'labelled' ? { label } : { 'aria-label': label })}
        value={value ?? anything}
        data={choices}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    );
  return look === 'segments' ? (
    <SegmentedControl aria-label={label} value={value ?? anything} onChange={choose} data={choices} />
  ) : (
    <Select
      clearable
      searchable={isSearchable}
      aria-label={label}
      placeholder={any}
      value={value ?? null}
      data={options}
      onChange={choose}
    />
  );
}
