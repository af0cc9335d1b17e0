const openings = new Set(['if', 'unless', 'case', 'for', 'tablerow', 'capture', 'comment', 'raw']);
const middles = new Set(['else', 'elsif', 'when']);

/** A tag of a block: `{% if %}`, `{% else %}`, `{% endif %}`. */
export type BlockTag = { role: 'open' | 'middle' | 'end'; block: number };

/**
 * The nesting of the blocks in a list of Liquid pieces, in the order of their source. A block is named by the index of its
 * opening tag, a branch by that of the tag that starts it.
 */
export class LiquidBlocks {
  readonly #tags: (BlockTag | undefined)[] = [];
  /** The branch around each piece; of the tags of a block, the branch around the block. */
  readonly #around: number[] = [];
  /** The branch after each piece. */
  readonly #after: number[] = [];
  readonly #names = new Map<number, string>();
  readonly #ends = new Map<number, number>();

  constructor(sources: readonly string[]) {
    let branch = -1;
    for (const [index, source] of sources.entries()) {
      const name = /^\{%-?\s*([\w#]+)/.exec(source)?.[1] ?? '';
      const block = this.blockOfBranch(branch);
      const outer = this.#names.get(block);
      const isVerbatim = outer === 'comment' || outer === 'raw';
      if (openings.has(name) && !isVerbatim) {
        this.#add(index, { role: 'open', block: index }, branch, index);
        this.#names.set(index, name);
      } else if (block >= 0 && name === `end${outer}`) {
        this.#add(index, { role: 'end', block }, this.around(block), this.around(block));
        this.#ends.set(block, index);
      } else if (block >= 0 && middles.has(name) && !isVerbatim)
        this.#add(index, { role: 'middle', block }, this.around(block), index);
      else this.#add(index, undefined, branch, branch);
      branch = this.#after[index]!;
    }
  }

  #add(index: number, tag: BlockTag | undefined, around: number, after: number): void {
    this.#tags[index] = tag;
    this.#around[index] = around;
    this.#after[index] = after;
  }

  tag(index: number): BlockTag | undefined {
    return this.#tags[index];
  }

  /** @returns the branch around a piece; -1 if there is none */
  around(index: number): number {
    return this.#around[index] ?? -1;
  }

  /** @returns the branch after a piece; -1 if there is none, and before the first piece */
  after(index: number): number {
    return this.#after[index] ?? -1;
  }

  /** @returns the tag that ends a block */
  endOf(block: number): number | undefined {
    return this.#ends.get(block);
  }

  blockOfBranch(branch: number): number {
    return this.#tags[branch]?.block ?? -1;
  }

  /** @returns the blocks around a place in a branch, from the inside */
  blocksIn(branch: number): number[] {
    const blocks: number[] = [];
    for (let at = branch; at >= 0; at = this.around(blocks.at(-1)!)) blocks.push(this.blockOfBranch(at));
    return blocks;
  }

  isComment(block: number): boolean {
    return this.#names.get(block) === 'comment';
  }
}
