import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ColumnCells, newFieldFor } from './new-fields.ts';

function cellsOf(cells: readonly string[]): ColumnCells {
  const column = new ColumnCells();
  for (const cell of cells) column.add(cell);
  return column;
}

suite('suggested new fields', () => {
  const guesses: [type: string, cells: string[]][] = [
    ['date', ['01.02.2020', '', '2021-05-06', '29.02.2024']],
    ['boolean', ['true', 'false']],
    ['integer', ['1', '42', '-7', '0']],
    ['decimal', ['1', '4.50', '-0.5']],
    ['csv', ['["a"]', '[]']],
    ['json', ['[1]', '{"a":2}']],
    ['string', ['']],
  ];
  for (const [type, cells] of guesses)
    test(`${JSON.stringify(cells)} suggests the type ${type}`, () => assert.equal(cellsOf(cells).type, type));

  test('lossy types become text, even for the last row', () => {
    const many = Array.from({ length: 250 }, (_, index) => String(80_001 + index));
    for (const value of [
      '01067',
      '+49301234',
      '1e5',
      '1,234',
      '1.234,5',
      '12345678901',
      '-0',
      '0x1F',
      ' 1 2',
    ])
      assert.equal(cellsOf([...many, value]).type, 'string', value);
    for (const cells of [
      ['TRUE'],
      ['ja', 'nein'],
      ['NO', 'N'],
      ['x'],
      ['03/04/2026'],
      ['31.02.2020'],
      ['2020-13-01'],
      ['[draft', '{}'],
    ])
      assert.equal(cellsOf(cells).type, 'string', cells.join());
  });

  test('codes and phone numbers are text', () => {
    const numbers = cellsOf(['80001', '10115']);
    const texts = [
      'PLZ',
      'Postleitzahl',
      'Zip code',
      'Postal Code',
      'Telefonnummer',
      'Mobile phone',
      'CustomerID',
      'Kunden-Nr.',
      'Order number',
      'Artikelnummer',
      'Vorwahl',
      'SKU',
    ];
    for (const heading of texts) assert.equal(newFieldFor(heading, numbers, []).type, 'string', heading);
    for (const heading of ['Orders', 'Punkte', 'Number of orders', 'Idea score'])
      assert.equal(newFieldFor(heading, numbers, []).type, 'integer', heading);
  });

  test('names of new fields are unique', () => {
    assert.deepEqual(newFieldFor('Kunde seit', cellsOf(['31.01.2020']), ['email']), {
      field: 'kunde_seit',
      label: 'Kunde seit',
      type: 'date',
    });
    assert.equal(newFieldFor('Größe', cellsOf([]), ['grosse']).field, 'grosse_2');
    assert.equal(newFieldFor('2. Name', cellsOf([]), []).field, 'field_2_name');
  });
});
