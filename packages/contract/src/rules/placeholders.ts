/** The names of the placeholders of a text, which look like `{{name}}`. */
export type PlaceholdersIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | PlaceholdersIn<Rest>
  : never;

/** @returns the text with values in place of its placeholders, which are empty without one */
export const fillPlaceholders = (
  text: string,
  values: Readonly<Record<string, string | number | undefined>>,
): string => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
