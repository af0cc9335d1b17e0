const tries = 50;

/**
 * A name, and the same with a number behind it, for what must not have the same name twice: “Copy of News”, “Copy of News 2”, …
 * @param limit  characters of Unicode; the name is cut for its number
 */
export function* numberedNames(name: string, limit: number): Generator<string> {
  yield name;
  const characters = Array.from(name);
  for (let number = 2; number <= tries; number += 1) {
    const suffix = ` ${number}`;
    yield (
      characters
        .slice(0, limit - suffix.length)
        .join('')
        .trimEnd() + suffix
    );
  }
}
