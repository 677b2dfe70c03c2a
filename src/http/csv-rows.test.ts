import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import fc from 'fast-check';
import { type CsvRules, readCsvRows } from './csv-rows.ts';
import { toAppError } from './error-reply.ts';

/** Reads a file in chunks of this size; returns the line of each row, and its cells or its error. */
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

test("cells are found by the header's names, quoted or plain, with any line ends", async () => {
  const file = '\ufeffa, b ,c\r\n1,"two, and ""more""",3\r\n\r\n"line\nbreak",é\n,,"",extra\nx';
  assert.deepEqual(await read(file, ['a', 'b', 'c', 'missing']), [
    [2, ['1', 'two, and "more"', '3', '']],
    [4, ['line\nbreak', 'é', '', '']],
    [6, ['', '', '', '']],
    [7, ['x', '', '', '']],
  ]);
});

test('any written rows can be read, in chunks of any length', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 8 });
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
          rows.filter((cells) => cells.some((text) => text !== '')),
        );
      },
    ),
  );
});

test('an invalid row fails alone', async () => {
  const long = 'x'.repeat(70_000);
  const file = Buffer.concat([
    Buffer.from(`a,b\n"1"2,3\n4,5\n${long},6\n7,8\n`),
    Buffer.from([0xff, 0x0a]),
    Buffer.from('9,o"k\né,ü\n"open,\n1'),
  ]);
  assert.deepEqual(await read(file, ['a', 'b'], 1000), [
    [2, 'a has text after a closing quote'],
    [3, ['4', '5']],
    [4, 'is longer than 65536 characters'],
    [5, ['7', '8']],
    [6, 'a is not UTF-8'],
    [7, ['9', 'o"k']],
    [8, ['é', 'ü']],
    [9, 'a has an unclosed quote'],
  ]);
});

test('a header without a required name is rejected with that name', async () => {
  for (const file of ['', 'b,c\n1,2', '\n\n'])
    await assert.rejects(read(file, ['a']), (error) => {
      assert.deepEqual(toAppError(error).issues, [
        { field: 'a', message: 'is missing in the header (the first row)' },
      ]);
      return true;
    });
});

test('the separator of the header separates the cells, outside of quotes', async () => {
  const rows = [[2, ['1,5', 'x']]];
  assert.deepEqual(await read('a;b\n1,5;x', ['a', 'b']), rows);
  assert.deepEqual(await read('a\tb\n1,5\tx', ['a', 'b']), rows);
  assert.deepEqual(await read('"a,,b";c;d\n1;2,3;4', ['c', 'd']), [[2, ['2,3', '4']]]);
  assert.deepEqual(await read('"a;;b",c\n1,2', ['a;;b', 'c']), [[2, ['1', '2']]]);
});

test('a row may end early; in strict mode it may exceed the header only with empty cells', async () => {
  assert.deepEqual(await read('a,b\n1\n1,2,3\n1,\n1,2,,', ['a', 'b'], 7, { isExact: true }), [
    [2, ['1', '']],
    [3, 'has 3 cells where the header has 2'],
    [4, ['1', '']],
    [5, ['1', '2']],
  ]);
});

test('files of spreadsheets and databases can be read', async () => {
  const utf16 = (text: string, order: 'le' | 'be', mark = true) => {
    const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le');
    return order === 'le' ? bytes : bytes.swap16();
  };
  const rows = [[2, ['Jürgen', 'x']]];
  const file = 'name,b\r\nJürgen,x\r\n';
  for (const [what, bytes, expected] of [
    ['carriage returns only', 'name,b\rJürgen,x\r', rows],
    ['carriage returns only, without the last', 'name,b\r"Jürgen",x', rows],
    ['a declared separator', 'sep=;\r\nname;b\r\nJürgen;x', [[3, ['Jürgen', 'x']]]],
    ['another, in quotes', '\ufeff"sep=|"\nname|b\nJürgen|x', [[3, ['Jürgen', 'x']]]],
    ['a tab, with capitals', 'SEP=\t\rname\tb\rJürgen\tx', [[3, ['Jürgen', 'x']]]],
    ['one that no header has', 'sep=^\nname^b\nJürgen^x', [[3, ['Jürgen', 'x']]]],
    ['a pipe that is not declared', 'name|b\nJürgen|x', rows],
    ['UTF-16, little endian', utf16(file, 'le'), rows],
    ['UTF-16, big endian', utf16(file, 'be'), rows],
    ['UTF-16 without a mark', utf16(file, 'le', false), rows],
    ['UTF-16, big endian, without a mark', utf16(file, 'be', false), rows],
    ['Windows-1252', Buffer.from(file, 'latin1'), rows],
    [
      'Windows-1252 quotes',
      Buffer.from('name,b\n\x93J\xfcrgen\x94,\x80\n', 'latin1'),
      [[2, ['“Jürgen”', '€']]],
    ],
    ['UTF-8 that holds U+FFFD', 'name,b\nJürgen,\ufffd', [[2, ['Jürgen', '\ufffd']]]],
    ['padded cells', '\u00a0name\u200b ,  b\n  Jürgen \u00a0,\tx ', rows],
    ['padded quotes', 'name , "b" \n "Jürgen" , "x" ', rows],
    ['padding within quotes', 'name,b\n" Jürgen ",x', [[2, [' Jürgen ', 'x']]]],
    ['rows of empty cells', 'name,b\n,\n , \n"",""\n\n\r\nJürgen,x\n,,,,\n', [[7, ['Jürgen', 'x']]]],
    ['a blank line in front', '\r\n\r\nname,b\r\nJürgen,x', [[4, ['Jürgen', 'x']]]],
    [
      'quoted line breaks of all kinds',
      'name,b\r"J\r\n\n\rü",x\ry,z',
      [
        [2, ['J\r\n\n\rü', 'x']],
        [6, ['y', 'z']],
      ],
    ],
    ['a quoted line break in the header', '"na\nme";"b"\n1;2', [[3, ['', '2']]]],
  ] as const)
    for (const length of [1, 7, 5000])
      assert.deepEqual(await read(bytes, ['name', 'b'], length, { required: [] }), expected, what);
});

test('a file is decoded by the declared charset, unless its bytes show another one', async () => {
  const declared = async (bytes: Buffer, charset: string) =>
    (await read(bytes, ['a'], 3, { charset })).map((row) => Array.isArray(row) && row[1][0]);
  assert.deepEqual(await declared(Buffer.from('a\n\x8e', 'latin1'), 'macintosh'), ['é']);
  assert.deepEqual(await declared(Buffer.from('a\n\xe9', 'latin1'), 'iso-8859-2'), ['é']);
  assert.deepEqual(await declared(Buffer.from('a\n\x83\x65\x83\x58', 'latin1'), 'shift_jis'), ['テス']);
  assert.deepEqual(await declared(Buffer.from('\ufeffa\né'), 'windows-1252'), ['é']);
});

test('known names may have capitals, blanks and hyphens in the header', async () => {
  const rules = { required: ['email'], known: ['first_name'] };
  assert.deepEqual(
    await read('E-Mail,First Name,Other Name\n1,2,3', ['email', 'first_name', 'Other Name'], 7, rules),
    [[2, ['1', '2', '3']]],
  );
  assert.deepEqual(await read('email,Email\n1,2', ['email', 'Email'], 7, rules), [[2, ['1', '2']]]);
});

test('a header with a repeated name, or without valid UTF-8, is rejected', async () => {
  const issuesOf = (file: string | Buffer) =>
    read(file, ['a']).then(
      () => assert.fail('it was read'),
      (error) => toAppError(error).issues,
    );
  assert.deepEqual(await issuesOf('a,b,b,,\n'), [{ field: 'b', message: 'appears twice in the header' }]);
  assert.deepEqual(await issuesOf(Buffer.concat([Buffer.from('a,é,ü'), Buffer.from([0xff, 0x0a])])), [
    { message: 'The header, in its column 3, (line 1) is not UTF-8.' },
  ]);
});
