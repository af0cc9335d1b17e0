import { useId } from 'react';
import classes from './choice-switch.module.css';

interface Props<T extends string> {
  'aria-label': string;
  value: T;
  onChange: (value: T) => void;
  /** `lang` where a label is in its own language. */
  data: readonly { value: T; label: string; lang?: string }[];
}

/** Looks like the library's segmented control, which would be a large part of the first load of the pages that use this one. */
export function ChoiceSwitch<T extends string>({ 'aria-label': label, value, onChange, data }: Props<T>) {
  const group = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classes.group}>
      {data.map((choice) => (
        <label key={choice.value} lang={choice.lang} className={classes.choice}>
          <input
            type="radio"
            name={group}
            className={classes.input}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}
