import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { guessType, newFieldFor } from './new-fields.ts';

suite('a field for a column that no field is known for', () => {
  test('has the type that all cells have, and postal codes are no numbers', () => {
    assert.equal(guessType(['01.02.2020', '', '2021-05-06']), 'date');
    assert.equal(guessType(['ja', 'Nein', 'x']), 'boolean');
    assert.equal(guessType(['1', '42']), 'integer');
    assert.equal(guessType(['1', '4.50']), 'decimal');
    assert.equal(guessType(['01067', '10115']), 'string');
    assert.equal(guessType(['["a"]', '[]']), 'csv');
    assert.equal(guessType(['[1]', '{"a":2}']), 'json');
    assert.equal(guessType(['[draft', '{}']), 'string');
    assert.equal(guessType(['', undefined]), 'string');
  });

  test('is called as the column is, with a name that no other field has', () => {
    assert.deepEqual(newFieldFor('Kunde seit', ['31.01.2020'], ['email']), {
      field: 'kunde_seit',
      label: 'Kunde seit',
      type: 'date',
    });
    assert.equal(newFieldFor('Größe', [], ['grosse']).field, 'grosse_2');
    assert.equal(newFieldFor('2. Name', [], []).field, 'field_2_name');
  });
});
