import { escapeHtml } from '../../email/liquid/escape-html.ts';
import { layOutPage } from './page-layout.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { texts } from './page-texts.ts';

/**
 * One page for every link that can't be used, so that it does not reveal why: tampered, unknown
 * or from another installation.
 */
export function renderMessagePage(
  language: Language,
  about: 'unknown' | 'nowhere' | 'away' | 'often',
): string {
  const text = texts[language];
  return layOutPage(language, text[`${about}Title`], `<p>${escapeHtml(text[about])}</p>`);
}
