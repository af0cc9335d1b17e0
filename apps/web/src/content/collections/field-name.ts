const maxNameLength = 63;

/** Derives a unique technical name from a heading. */
export function newFieldName(column: string, taken: readonly string[]): string {
  const plain = column
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const base = (/^[a-z]/.test(plain) ? plain : `field_${plain}`)
    .slice(0, maxNameLength - 4)
    .replace(/_+$/, '');
  const names = [base, ...Array.from({ length: taken.length + 1 }, (_, index) => `${base}_${index + 2}`)];
  return names.find((name) => !taken.includes(name)) ?? base;
}
