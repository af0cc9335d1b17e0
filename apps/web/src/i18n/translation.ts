/** The type of a translation: the same keys, any text. */
export type Translation<T> = { [K in keyof T]: T[K] extends string ? string : Translation<T[K]> };
