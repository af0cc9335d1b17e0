/** Writes as a person does, whose hand is led by random numbers: for tests of what an editor and a message show. */
export interface Hand {
  type(text: string): unknown;
  press(key: 'Enter' | 'Shift+Enter'): unknown;
  /** Marks the three letters before the cursor, or ends their mark. */
  mark(mark: 'bold' | 'italic' | 'underline'): unknown;
  paste(html: string): unknown;
}

interface Random {
  next(): number;
  pick<T>(from: readonly T[]): T;
}

const words = [
  'boat',
  'pier',
  '{{ contact.first_name }}',
  'sail',
  '5\u00a0kg',
  // Needs no end, which later steps could write over.
  '{% assign tide = 1 %}low',
];
const blanks = [' ', ' ', '   ', ''];
const copies = [
  '<p>a <i>b</i></p><p>c</p>',
  '<div>d</div><div>e  f</div>',
  '<ul><li>g</li><li>h</li></ul>',
  'k<br>',
];

export async function writeAtRandom(hand: Hand, random: Random): Promise<void> {
  for (let step = 0; step < 7; step += 1) {
    const what = random.next();
    if (what < 0.4) await hand.type(`${random.pick(words)}${random.pick(blanks)}`);
    else if (what < 0.7) await hand.press(random.pick(['Enter', 'Enter', 'Shift+Enter'] as const));
    else if (what < 0.85) await hand.mark(random.pick(['bold', 'italic', 'underline'] as const));
    else await hand.paste(random.pick(copies));
  }
}
