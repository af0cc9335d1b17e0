import assert from 'node:assert/strict';
import { test } from 'node:test';
import { starterLanguages, templateStarters } from '@reachout/contract/templates.ts';
import { starterMjml } from '../../../../../server/src/content/templates/starters.ts';
import { DocumentStore } from '../document-store.ts';
import { applySplices, readAttribute, type Splice } from './attributes.ts';
import {
  blockAt,
  duplicateBlock,
  insertBlock,
  isContained,
  isContainer,
  levelOf,
  listBlocks,
  moveBlock,
  nextPlace,
  placesFor,
  removeBlock,
  setBlockAttribute,
  setBlockContent,
  unwrapCondition,
  wrapBlock,
} from './operations.ts';
import { parseSource, type SourceElement } from './parse-source.ts';
import { writtenDocuments } from './written-documents.ts';

const testDocuments: [name: string, source: string][] = [
  ...templateStarters.flatMap((starter) =>
    starterLanguages.map((language): [string, string] => [
      `${starter} in ${language}`,
      starterMjml(starter, language),
    ]),
  ),
  ...Object.entries(writtenDocuments),
];

/** The sources of all blocks without others inside, in any order. */
const leaves = (source: string): string[] =>
  listBlocks(parseSource(source))
    .filter(({ node }) => !isContainer(node) && node.kind !== 'condition')
    .map(({ node }) => source.slice(node.start, node.end))
    .sort();

/** Applies it to a store, checks that undo returns to the same bytes, and returns the result. */
function apply(source: string, splices: Splice[]): string {
  const store = new DocumentStore(source);
  store.apply({ splices });
  const changed = store.read().source;
  assert.equal(changed, applySplices(source, splices));
  if (splices.length > 0) {
    assert.ok(store.undo());
    assert.equal(store.read().source, source);
    assert.ok(store.redo());
    assert.equal(store.read().source, changed);
  }
  return changed;
}

const isBlank = (text: string) => text.trim() === '';

test('there are enough documents', () => {
  assert.ok(testDocuments.length >= 50);
  const withBlocks = testDocuments.filter(([, source]) => listBlocks(parseSource(source)).length > 2);
  assert.ok(withBlocks.length >= 40, String(withBlocks.length));
});

/** One test with all documents. The first failures say all that the others would. */
function testEach(
  name: string,
  check: (document: {
    name: string;
    source: string;
    parsed: ReturnType<typeof parseSource>;
    blocks: ReturnType<typeof listBlocks>;
  }) => void,
): void {
  test(name, () => {
    for (const [title, source] of testDocuments) {
      const parsed = parseSource(source);
      try {
        check({ name: title, source, parsed, blocks: listBlocks(parsed) });
      } catch (error) {
        throw new Error(`In the document: ${title}`, { cause: error });
      }
    }
  });
}

testEach('an untouched document keeps its bytes', ({ source, parsed }) => {
  assert.equal(new DocumentStore(source).read().source, source);
  assert.equal(parsed.masked.length, source.length);
});

testEach('blocks lie within those around them, one after the other', ({ parsed, blocks }) => {
  for (const { node, parents, index } of blocks) {
    const [parent] = parents;
    assert.ok(parent && node.start >= parent.contentStart && node.end <= parent.contentEnd);
    assert.ok(node.end > node.start);
    const next = parent.children[index + 1];
    assert.ok(next === undefined || next.start >= node.end);
    if (node.kind === 'element')
      assert.ok(
        parsed.masked
          .slice(node.start + 1)
          .toLowerCase()
          .startsWith(node.name),
      );
  }
});

testEach('removing a block takes away only it and its line', ({ source, parsed, blocks }) => {
  for (const block of blocks) {
    const { node } = block;
    const { splices, selected } = removeBlock(parsed, block);
    assert.equal(splices.length, 1);
    const { from, to, insert } = splices[0]!;
    assert.equal(insert, '');
    assert.ok(from <= node.start && to >= node.end);
    assert.ok(isBlank(source.slice(from, node.start)) && isBlank(source.slice(node.end, to)));
    const changed = apply(source, splices);
    if (selected !== undefined && !isBroken(block.node))
      assert.ok(blockAt(parseSource(changed), selected), source.slice(node.start, node.end));
  }
});

testEach('duplicating a block adds the same bytes behind it', ({ source, parsed, blocks }) => {
  for (const block of blocks) {
    const { node } = block;
    const { splices, selected } = duplicateBlock(parsed, block);
    const [{ from, to, insert }] = splices as [Splice];
    assert.equal(from, node.end);
    assert.equal(to, from);
    assert.equal(insert.trim(), source.slice(node.start, node.end).trim());
    const changed = apply(source, splices);
    assert.equal(
      changed.slice(selected, selected! + node.end - node.start),
      source.slice(node.start, node.end),
    );
  }
});

testEach('moving a block keeps the bytes of all blocks', ({ source, parsed, blocks }) => {
  for (const block of blocks)
    for (const step of [1, -1] as const) {
      const { node } = block;
      const place = nextPlace(parsed, block, step);
      if (place === undefined) continue;
      const { splices, selected } = moveBlock(parsed, block, place);
      const changed = apply(source, splices);
      const moved = source.slice(node.start, node.end);
      assert.equal(changed.slice(selected, selected! + moved.length), moved);
      if (blocks.some((other) => isBroken(other.node))) continue;
      assert.deepEqual(leaves(changed), leaves(source));
      const after = blockAt(parseSource(changed), selected!);
      assert.ok(after);
      assert.equal(levelOf(after.node), levelOf(node));
    }
});

testEach('a block can be inserted at each place', ({ source, parsed, blocks }) => {
  for (const [level, block] of [
    ['content', '<mj-divider\n  padding="1px" />'],
    ['column', '<mj-column>\n</mj-column>'],
    ['section', '<mj-section>\n  <mj-column>\n  </mj-column>\n</mj-section>'],
  ] as const)
    for (const place of placesFor(parsed, level)) {
      const { splices, selected } = insertBlock(parsed, place, block);
      const changed = apply(source, splices);
      const [{ from, to, insert }] = splices as [Splice];
      if (to > from) assert.match(source.slice(from, to), /^\/\s*>$/);
      assert.ok(insert.includes(block.split('\n')[0]!));
      if (blocks.some((other) => isBroken(other.node))) continue;
      const node = blockAt(parseSource(changed), selected!)?.node;
      assert.equal(node?.kind === 'element' && node.name, /[\w-]+/.exec(block)![0]);
    }
});

testEach('attributes change only their own range', ({ source, parsed, blocks }) => {
  for (const { node } of blocks) {
    if (node.kind !== 'element') continue;
    for (const attribute of [...new Set(node.attributes.map((one) => one.name)), 'data-new']) {
      // Names with Liquid, and those that are none.
      if (/^(?:=|q{5})/.test(attribute)) continue;
      for (const value of [
        `a "b" 'c' <d> & &amp;`,
        '{{ x | default: "<y>" }}',
        'a {{ b',
        '{%',
        '',
        undefined,
      ]) {
        const splices = setBlockAttribute(parsed, node, attribute, value);
        for (const { from, to } of splices) assert.ok(from > node.start && to < node.contentStart);
        const changed = apply(source, splices);
        const after = blockAt(parseSource(changed), node.start)!.node as SourceElement;
        assert.equal(after.name, node.name);
        const isRepeated = node.attributes.filter((one) => one.name === attribute).length > 1;
        if (value !== undefined || !isRepeated)
          assert.equal(readAttribute(changed, after.attributes, attribute), value);
      }
    }
  }
});

testEach('writing the content changes only the content', ({ source, parsed, blocks }) => {
  for (const { node } of blocks) {
    if (node.kind !== 'element' || node.isUnclosed || isContainer(node)) continue;
    const content = source.slice(node.contentStart, node.contentEnd);
    assert.deepEqual(node.isSelfClosing ? [] : setBlockContent(parsed, node, content), []);
    const changed = apply(source, setBlockContent(parsed, node, `${content}<b>new</b>`));
    assert.ok(changed.startsWith(source.slice(0, node.start)));
    assert.ok(changed.endsWith(source.slice(node.end)));
    const after = blockAt(parseSource(changed), node.start)!.node as SourceElement;
    assert.equal(changed.slice(after.contentStart, after.contentEnd), `${content}<b>new</b>`);
  }
});

testEach('a condition can be put around each block and removed again', ({ source, parsed, blocks }) => {
  // Liquid that is not closed would end where the condition does.
  if (/\{[{%]/.test(parsed.masked)) return;
  for (const { node } of blocks) {
    const { splices, selected } = wrapBlock(parsed, node, '{% if contact.vip %}');
    const changed = apply(source, splices);
    const wrapped = parseSource(changed);
    const condition = blockAt(wrapped, selected!)?.node;
    if (isBroken(node) || condition?.kind !== 'condition') {
      assert.ok(node.kind === 'liquid' || isBroken(node), source.slice(node.start, node.end));
      continue;
    }
    const back = apply(changed, unwrapCondition(wrapped, condition).splices);
    assert.equal(back.replaceAll(/\s/g, ''), source.replaceAll(/\s/g, ''));
  }
});

test('endless nesting neither overflows the stack nor hangs', () => {
  const inBody = (content: string) => `<mjml><mj-body>${content}</mj-body></mjml>`;
  for (const content of [
    '<mj-section>'.repeat(20_000),
    `${'{% if a %}'.repeat(1_900)}<mj-section></mj-section>${'{% endif %}'.repeat(1_900)}`,
    `<mj-section></mj-section>${'{% if a %}'.repeat(50_000)}`,
    '<mj-text>x</mj-text>{{ a }}'.repeat(1_900),
    '{{'.repeat(200_000),
    '{{"'.repeat(100_000),
    `{{a${' '.repeat(300_000)}b}}`,
    '<!-- x --><mj-section></mj-section>'.repeat(10_000),
  ])
    assert.ok(listBlocks(parseSource(inBody(content))).length <= 50_001);
});

test('a content that would take in what follows is not contained', () => {
  const source =
    '<mjml><mj-body><mj-section><mj-column><mj-raw><b>x</b></mj-raw><mj-text>{{ a }}</mj-text></mj-column></mj-section></mj-body></mjml>';
  const parsed = parseSource(source);
  const raw = listBlocks(parsed).find(({ node }) => node.kind === 'element' && node.name === 'mj-raw')!
    .node as SourceElement;
  for (const content of ['<b>x</b>y', '<b>x', '', '{{ b }}', '<br>'])
    assert.ok(isContained(parsed, raw, content), content);
  for (const content of ['<b>x</b><d', 'x {{ b', '<!-- x', '<a href="'])
    assert.ok(!isContained(parsed, raw, content), content);
});

/** What it encloses is not certain, so that other blocks change with it. */
function isBroken(node: ReturnType<typeof listBlocks>[number]['node']): boolean {
  return (node.kind === 'element' && node.isUnclosed) || node.kind === 'liquid';
}
