/** Texts by name, as the files of a language have them. */
export type Texts = { [key: string]: string | Texts };

/** Each text with its whole key, such as `common:error.offline`. */
export function listTexts(texts: Texts, prefix = ''): [key: string, text: string][] {
  const separator = prefix === '' ? '' : prefix.includes(':') ? '.' : ':';
  return Object.entries(texts).flatMap(([key, value]) => {
    const path = `${prefix}${separator}${key}`;
    return typeof value === 'string' ? [[path, value] as [string, string]] : listTexts(value, path);
  });
}
