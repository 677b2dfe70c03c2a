import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { csvLine, jsonOfCell, textOfCell } from './csv.ts';

const lineOf = (...row: unknown[]) => csvLine(row).slice(0, -2);

test('a text that looks like a formula gets an apostrophe before its sign', () => {
  for (const [text, cell] of [
    ['=1+1', "'=1+1"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-1', "'-1"],
    ['@sum', "'@sum"],
    [' =1', "' =1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\u200b=1', "'\u200b=1"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠sum', "'＠sum"],
    ['\t=1', "'\t'=1"],
    ['\tx', "'\tx"],
  ])
    assert.equal(lineOf(text), cell);
});

test('a sign after a line break, a tab or a semicolon is escaped too, because spreadsheets may split the text there', () => {
  assert.equal(lineOf('\n=1'), `"'\n'=1"`);
  assert.equal(lineOf('a\r\n=1'), `"a\r\n'=1"`);
  assert.equal(lineOf('x;=1'), "x;'=1");
  assert.equal(lineOf('x;;＝1; @y'), "x;;'＝1; '@y");
  assert.equal(lineOf('x;"=1'), `"x;""'=1"`);
  assert.equal(lineOf('x\t=1'), "x\t'=1");
});

test('other texts, numbers and empty cells are written unchanged', () => {
  assert.equal(lineOf('a=b', 'x - y', "it's", 'a; b', '1-2'), "a=b,x - y,it's,a; b,1-2");
  assert.equal(lineOf(-5, 1e21, true, null, undefined, ''), '-5,1e+21,true,,,""');
  assert.equal(lineOf('say "hi"', 'a,b', 'a\nb'), '"say ""hi""","a,b","a\nb"');
});

test('JSON keeps its value, with signs after semicolons escaped', () => {
  for (const value of [{ a: 'x;=1' }, ['x; ＝1', ';"@y'], { ';-k': [-1, 'a=b', '\n=1'] }]) {
    const cell = lineOf(value);
    assert.doesNotMatch(cell, /;[\s"\\]*[=+\-@＝＋－＠]/u);
    assert.deepEqual(JSON.parse(cell.slice(1, -1).replaceAll('""', '"')), value);
  }
});

test('cells can be read back, and quotes distinguish text from other values', () => {
  const cellOf = (text: string) => {
    const cell = lineOf(text);
    return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
  };
  const piece = fc.constantFrom(
    ...["'", '=', '-', ';', '\t', '\r', '\n', ' ', '"', '＝', '\u00a0', '{}', '[1]', 'x'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      assert.equal(textOfCell(cellOf(text)), text);
      assert.equal(jsonOfCell(cellOf(text)), undefined);
    }),
  );
  for (const text of ["'=1", "'", "''-", '[1]', '{"a":1}', "'[1]", ';=', "x;'=1", '=HYPERLINK("a")'])
    assert.equal(textOfCell(cellOf(text)), text);
  for (const text of ['1', '007', '1.5', '1e5', 'true', ' padded', 'padded '])
    assert.equal(lineOf(text), `"${text}"`);
  assert.equal(lineOf('1-2', '2026-01-31', '1,5', '0x10'), '1-2,2026-01-31,"1,5",0x10');
});
