import type { Language } from '@reachout/contract/rules/languages.ts';
import { escapeHtml } from '../../email/liquid/escape-html.ts';

/** HTML that `markup` has written. A class, so that no stored object can pass for it. */
export class Html {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
}

/** What can be put into HTML: a string is text. */
export type Content = Html | string | false | undefined | readonly Content[];

/**
 * Writes HTML without the line breaks of the template, and escapes what is put into it, also as an attribute: the only place
 * where public pages do so.
 */
export const markup = (template: TemplateStringsArray, ...content: readonly Content[]): Html =>
  new Html(template.map((part, index) => part.replaceAll(/\n\s*/g, '') + toHtml(content[index])).join(''));

export function toHtml(content: Content): string {
  if (typeof content === 'string') return escapeHtml(content);
  if (content instanceof Html) return content.html;
  return Array.isArray(content) ? content.map(toHtml).join('') : '';
}

/** A form that the server checks, not the browser. @param action  relative; default: this page */
export const form = (language: Language, content: Content, action = ''): Html =>
  markup`<form method="post" action="${action}?lang=${language}" novalidate>${content}</form>`;

export const hidden = (name: string, value: string): Html =>
  markup`<input type="hidden" name="${name}" value="${value}">`;

/** @param attributes  of the box */
export const checkbox = (attributes: Html, isChecked: boolean, label: Content, hint = ''): Html => markup`
  <label>
    <input type="checkbox" ${attributes}${isChecked && markup` checked`}>
    <span>${label}${hint !== '' && markup`<span class="hint">${hint}</span>`}</span>
  </label>`;

/** @param field  that it sends, with its value */
export const button = (look: 'main' | 'quiet', text: string, field?: readonly [string, string]): Html =>
  markup`<button class="${look}"${field && markup` name="${field[0]}" value="${field[1]}"`}>${text}</button>`;
