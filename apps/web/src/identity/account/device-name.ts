import Bowser from 'bowser';

export interface Device {
  browser: string | undefined;
  system: string | undefined;
}

/** What a `User-Agent` header says, in the names people know. */
export function readDevice(userAgent: string | null): Device {
  if (userAgent === null || userAgent === '') return { browser: undefined, system: undefined };
  const { browser, os } = Bowser.parse(userAgent);
  return { browser: browser.name || undefined, system: os.name };
}
