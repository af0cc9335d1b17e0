import Bowser from 'bowser';
import { useTranslation } from 'react-i18next';

export interface Device {
  browser: string | undefined;
  system: string | undefined;
}

/** Parses a `User-Agent` header into common names. */
export function readDevice(userAgent: string | null): Device {
  if (userAgent === null || userAgent === '') return { browser: undefined, system: undefined };
  const { browser, os } = Bowser.parse(userAgent);
  return { browser: browser.name || undefined, system: os.name };
}

/** "Firefox on Windows". */
export function useDeviceName(): (userAgent: string | null) => string {
  const { t } = useTranslation('account');
  return (userAgent) => {
    const { browser, system } = readDevice(userAgent);
    if (browser && system) return t('sessions.on', { browser, system });
    return browser ?? system ?? t('sessions.unknownDevice');
  };
}
