/** Replaces merge tags, which would be shown as source, where there is no recipient whose values could be shown. */
export const withoutTags = (text: string): string => text.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/g, '…');

/** A subject for one recipient; `to` is null if it was rendered without one. Undefined or null if that is not possible. */
export type RenderedSubject = { to: string | null; subject: string } | null | undefined;

/** A subject as a recipient sees it. @param source  as written, with its merge tags */
export const shownSubject = (source: string, rendered: RenderedSubject): string =>
  rendered && rendered.to !== null ? rendered.subject : withoutTags(source);
