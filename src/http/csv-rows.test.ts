import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import fc from 'fast-check';
import { type CsvRules, readCsvRows } from './csv-rows.ts';
import { toAppError } from './error-reply.ts';

/** The rows of a file, cut into pieces of so many bytes; of each its line, and its cells or what is wrong with it. */
async function read(
  file: string | Buffer,
  names: readonly string[],
  pieceBytes = 7,
  rules: Partial<CsvRules> = {},
): Promise<unknown[]> {
  const bytes = Buffer.from(file);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const rows = await Array.fromAsync(
    readCsvRows(Readable.from(pieces), { required: names.slice(0, 1), ...rules }),
  );
  return rows.map((row) => [row.line, 'fault' in row ? row.fault : names.map((name) => row.cell(name))]);
}

test('cells are found by the names of the header, quoted or plain, whatever ends a line', async () => {
  const file = '\ufeffa, b ,c\r\n1,"two, and ""more""",3\r\n\r\n"line\nbreak",é\n,,"",extra\nx';
  assert.deepEqual(await read(file, ['a', 'b', 'c', 'missing']), [
    [2, ['1', 'two, and "more"', '3', '']],
    [4, ['line\nbreak', 'é', '', '']],
    [6, ['', '', '', '']],
    [7, ['x', '', '', '']],
  ]);
});

test('what was written is read, in pieces of any length', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !/[\r\ufffd]/.test(text));
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell)),
      fc.integer({ min: 1, max: 20 }),
      async (rows, length) => {
        const lines = [['a', 'b'], ...rows].map((cells) => cells.map(quoted).join(','));
        const found = await read(lines.join('\r\n'), ['a', 'b'], length);
        assert.deepEqual(
          found.map((row) => Array.isArray(row) && row[1]),
          rows,
        );
      },
    ),
  );
});

test('a row that cannot be read fails alone', async () => {
  const long = 'x'.repeat(70_000);
  const file = Buffer.concat([
    Buffer.from(`a,b\n"1"2,3\n4,5\n${long},6\n7,8\n`),
    Buffer.from([0xff, 0x0a]),
    Buffer.from('9,o"k\n"open,\n1'),
  ]);
  assert.deepEqual(await read(file, ['a', 'b'], 1000), [
    [2, 'has text behind a closed quote'],
    [3, ['4', '5']],
    [4, 'is longer than 65536 characters'],
    [5, ['7', '8']],
    [6, 'is not UTF-8'],
    [7, ['9', 'o"k']],
    [8, 'a quote is not closed'],
  ]);
});

test('a header without a name that is needed is refused by that name', async () => {
  for (const file of ['', 'b,c\n1,2', '\n\n'])
    await assert.rejects(read(file, ['a']), (error) => {
      assert.deepEqual(toAppError(error).issues, [
        { field: 'a', message: 'is missing in the header, which is the first row' },
      ]);
      return true;
    });
});

test('cells are separated by what separates the names of the header, outside of quotes', async () => {
  const rows = [[2, ['1,5', 'x']]];
  assert.deepEqual(await read('a;b\n1,5;x', ['a', 'b']), rows);
  assert.deepEqual(await read('a\tb\n1,5\tx', ['a', 'b']), rows);
  assert.deepEqual(await read('"a,,b";c;d\n1;2,3;4', ['c', 'd']), [[2, ['2,3', '4']]]);
  assert.deepEqual(await read('"a;;b",c\n1,2', ['a;;b', 'c']), [[2, ['1', '2']]]);
});

test('where that is asked for, a row has as many cells as the header', async () => {
  assert.deepEqual(await read('a,b\n1\n1,2,3\n1,', ['a', 'b'], 7, { isExact: true }), [
    [2, 'has 1 cells where the header has 2'],
    [3, 'has 3 cells where the header has 2'],
    [4, ['1', '']],
  ]);
});

test('a header that has a name twice, or is no UTF-8, is refused', async () => {
  const issuesOf = (file: string | Buffer) =>
    read(file, ['a']).then(
      () => assert.fail('it was read'),
      (error) => toAppError(error).issues,
    );
  assert.deepEqual(await issuesOf('a,b,b,,\n'), [{ field: 'b', message: 'stands twice in the header' }]);
  assert.deepEqual(await issuesOf(Buffer.from('a,\xe9t\xe9\n1,2', 'latin1')), [
    { message: 'The header, which is the first row: is not UTF-8.' },
  ]);
});
