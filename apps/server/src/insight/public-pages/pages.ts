import { escapeHtml } from '../../email/liquid/escape-html.ts';
import { layOutPage } from './page-layout.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import { fillHtml, fillText, texts } from './page-texts.ts';
import type { Subscription, SubscriptionChange } from '../tracking/unsubscribe.ts';

/** The page before and after unsubscribing. Works without scripts, cookies and other hosts. */
export function renderSubscriptionPage(
  language: Language,
  token: string,
  { brand, maskedAddress, isUnsubscribed, canUndo }: Subscription,
  change: SubscriptionChange,
): string {
  const text = texts[language];
  const values = { brand: brand.name, address: maskedAddress };
  const fill = (template: string) => fillHtml(template, values);
  // Relative, so that it works under every host name of this installation.
  const form = (button: string, fields: string, kind: string) =>
    `<form method="post" action="../u/${token}?lang=${language}"><input type="hidden" name="source" value="page">${fields}<button class="${kind}">${escapeHtml(button)}</button></form>`;
  const address = `<p class="address">${fill(text.address)}</p>`;
  const more = `<p class="more"><a href="../p/${token}?lang=${language}">${escapeHtml(text.more)}</a></p>`;
  if (isUnsubscribed) {
    const undo = canUndo ? form(text.undo, '<input type="hidden" name="undo" value="1">', 'quiet') : '';
    return layOutPage(
      language,
      text.doneTitle,
      `<p role="status">${fill(text.done)}</p>${address}${undo}${more}`,
      brand,
    );
  }
  if (change === 'undo') {
    return layOutPage(
      language,
      text.undoneTitle,
      `<p role="status">${fill(text.undone)}</p>${address}${more}`,
      brand,
    );
  }
  return layOutPage(
    language,
    fillText(text.askTitle, values),
    `${address}${form(text.unsubscribe, '', 'main')}${more}`,
    brand,
  );
}

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
