/** Escapes the same five characters in the same form as Liquid's `escape`. */
export function escapeHtml(text: string): string {
  if (!/[&<>"']/.test(text)) return text;
  // A callback for each match would take many times the size of a long text.
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&#34;')
    .replaceAll("'", '&#39;');
}
