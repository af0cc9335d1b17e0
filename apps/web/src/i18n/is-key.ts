/** Whether there is a text with a name that comes from data. */
export const isKey = <Texts extends object>(texts: Texts, key: string): key is keyof Texts & string =>
  Object.hasOwn(texts, key);
