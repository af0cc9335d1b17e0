/**
 * The set of keys seen in a file, as 53-bit hashes in one array: a million keys take 16 MB, compared to 100 MB for a set of
 * strings. With a million keys, the probability of a hash collision is 1 in 20,000; a row then counts as a duplicate of
 * another, with no other effect.
 */
export class KeySet {
  #slots = new Float64Array(1024);
  #count = 0;

  /** @returns whether the set already contained the key */
  add(key: string): boolean {
    if (this.#count * 2 >= this.#slots.length) this.#grow();
    const isNew = put(this.#slots, hashOf(key));
    if (isNew) this.#count += 1;
    return !isNew;
  }

  #grow(): void {
    const larger = new Float64Array(this.#slots.length * 2);
    for (const hash of this.#slots) if (hash !== 0) put(larger, hash);
    this.#slots = larger;
  }
}

/** @returns whether the hash was added; 0 marks a free slot */
function put(slots: Float64Array, hash: number): boolean {
  let index = hash % slots.length;
  while (slots[index] !== 0) {
    if (slots[index] === hash) return false;
    index = (index + 1) % slots.length;
  }
  slots[index] = hash;
  return true;
}

/** cyrb53, two multiplications for each character; never 0. */
function hashOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0) || 1;
}
