/** @returns what `work` returns, or `otherwise` if it throws: for input of others whose errors all mean the same. */
export function attempt<T, Otherwise>(work: () => T, otherwise: Otherwise): T | Otherwise {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
