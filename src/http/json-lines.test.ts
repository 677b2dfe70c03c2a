import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test from 'node:test';
import { readJsonLines } from './json-lines.ts';

/** Reads a file in chunks of this size; returns the number of each line, and its value or its error. */
async function read(file: string | Buffer, pieceBytes = 7): Promise<unknown[]> {
  const bytes = Buffer.from(file);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const lines = await Array.fromAsync(readJsonLines(Readable.from(pieces)));
  return lines.map((each) => [each.line, 'fault' in each ? each.fault : each.value]);
}

test('each line is a value, with any line end; empty lines count but are skipped', async () => {
  assert.deepEqual(await read('\ufeff{"a":"é"}\r\n\n\r\n[1]\n"x"'), [
    [1, { a: 'é' }],
    [4, [1]],
    [5, 'x'],
  ]);
  assert.deepEqual(await read(''), []);
});

test('an invalid line fails alone', async () => {
  const file = Buffer.concat([
    Buffer.from(`{"a":\n{"b":"\\u0000"}\n{"c":1}\n"${'x'.repeat(1024 * 1024)}"\n`),
    Buffer.from([0x22, 0xff, 0x22, 0x0a]),
    Buffer.from('{"d":{"__proto__":1}}\n{"e":1}'),
  ]);
  assert.deepEqual(await read(file, 1000), [
    [1, 'The body is not valid JSON.'],
    [2, 'b must not contain the character U+0000'],
    [3, { c: 1 }],
    [4, 'is longer than 1048576 bytes'],
    [5, 'The body is not valid UTF-8.'],
    [6, 'd must not have a key "__proto__"'],
    [7, { e: 1 }],
  ]);
});
