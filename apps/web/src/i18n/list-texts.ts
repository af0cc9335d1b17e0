/** Texts by key, as in the files of a language. */
export type Texts = { [key: string]: string | Texts };

/** @returns each text with its full key, such as `common:error.offline` */
export function listTexts(texts: Texts, prefix = ''): [key: string, text: string][] {
  const separator = prefix === '' ? '' : prefix.includes(':') ? '.' : ':';
  return Object.entries(texts).flatMap(([key, value]) => {
    const path = `${prefix}${separator}${key}`;
    return typeof value === 'string' ? [[path, value] as [string, string]] : listTexts(value, path);
  });
}
