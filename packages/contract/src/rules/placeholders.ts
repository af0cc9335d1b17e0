/** The names of the placeholders of a text, which look like `{{name}}`. */
export type PlaceholdersIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | PlaceholdersIn<Rest>
  : never;
