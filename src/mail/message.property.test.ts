import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { encodeText } from './body-part.ts';
import { buildMime } from './message.ts';

const awkward = fc.constantFrom(
  ' ',
  '\t',
  '=',
  '.',
  '\n',
  '\r\n',
  '\r',
  '"',
  '\\',
  '=?',
  '?=',
  ',',
  'ü',
  '佐',
  '👋',
  '<',
);
const piece = fc.oneof(
  { weight: 3, arbitrary: awkward },
  fc.string({ unit: 'grapheme-ascii', maxLength: 100 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const anyText = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

function decode(encoding: string, body: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding === '7bit') return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replace(/=([\dA-F]{2})/g, (_found, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

test('any text is encoded in short ASCII lines and decodes to the same text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { encoding, body } = encodeText(text);
      assert.match(body, /^[\t\r\n\x20-\x7e]*$/);
      const lines = body.split('\r\n');
      assert.ok(lines.every((line) => line.length <= 76 && !/[\r\n]/.test(line)));
      if (encoding === 'quoted-printable') assert.ok(lines.every((line) => !/[ \t]$/.test(line)));
      assert.equal(decode(encoding, body), text.toWellFormed().replace(/\r\n|\r|\n/g, '\r\n'));
    }),
    { numRuns: 300 },
  );
});

test('any subject and any name arrive unchanged, except for controls and outer spaces', async () => {
  const oneLine = (text: string) =>
    text
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .trim();
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (subject, name) => {
      const mime = await buildMime({
        from: { address: 'a@sender.example', name },
        to: { address: 'b@receiver.example' },
        subject,
        text: 'x',
        headers: {},
        messageId: '<m@sender.example>',
        date: new Date(0),
        attachments: [],
        envelope: { from: 'a@sender.example', to: 'b@receiver.example' },
      });
      const parsed = await simpleParser(mime);
      const lines = mime.toString('latin1').split('\r\n');
      assert.ok(lines.every((line) => line.length <= 998 && (line === '' || line.trim() !== '')));
      assert.equal(collapsed(parsed.subject ?? ''), collapsed(oneLine(subject)));
      assert.equal(parsed.from?.value[0]?.address, 'a@sender.example');
      assert.equal(collapsed(parsed.from?.value[0]?.name ?? ''), collapsed(oneLine(name)));
      assert.equal(parsed.text?.trim(), 'x');
    }),
    { numRuns: 100 },
  );
});

/** Collapses spaces, because readers differ in how many they see where a line was folded. */
function collapsed(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
