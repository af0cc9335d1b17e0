/** Replaces merge tags, which would be shown as source, where there is no recipient whose values could be shown. */
export const withoutTags = (text: string): string => text.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/g, '…');
