import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { SAMPLE_MAILS, type SampleMail } from '../../../test/harness/sample-bounces.ts';
import { readReport } from './read-report.ts';

const bytes = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'));

/** Returns the meaning of a sample's report, in the terms of the samples. */
function meaningOf({ text, from }: Pick<SampleMail, 'text' | 'from'>) {
  const report = readReport(bytes(text), from === '');
  if (report.kind === 'bounce') return report.bounceClass;
  if (report.kind === 'unsubscribe-request') return 'unsubscribe';
  return report.kind === 'complaint' ? 'complaint' : 'nothing';
}

for (const sample of SAMPLE_MAILS) {
  test(`${sample.name}: ${sample.expected}`, () => {
    assert.equal(meaningOf(sample), sample.expected);
    const report = readReport(bytes(sample.text), sample.from === '');
    if (report.kind === 'bounce') assert.match(report.reason, new RegExp(sample.reason ?? '.'));
  });
}

test('a report truncated within the original message gives the same result', () => {
  for (const sample of SAMPLE_MAILS.filter(({ text }) => text.includes('message/delivery-status'))) {
    const cut = sample.text.slice(0, sample.text.indexOf('Buy now'));
    assert.equal(meaningOf({ ...sample, text: cut }), sample.expected, sample.name);
  }
});

test('messages of people and automatic replies are distinguished', () => {
  const person = 'From: ada@example.com\n\nunsubscribe\n';
  assert.equal(readReport(bytes(person), false).kind, 'other');
  assert.equal(readReport(bytes(person), true).kind, 'reply');
  assert.equal(readReport(bytes(`Auto-Submitted: auto-replied\n${person}`), false).kind, 'reply');
});

test('the worst result of several recipients counts', () => {
  const status = (code: string) => `Final-Recipient: rfc822; a@b.test\nAction: failed\nStatus: ${code}\n\n`;
  const text = `Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n${status('4.2.2')}${status('5.1.1')}${status('5.7.1')}--b--\n`;
  assert.equal(meaningOf({ text, from: '' }), 'hard');
});

test('a complaint contains the headers of its message', () => {
  const sample = SAMPLE_MAILS.find(({ name }) => name === 'a feedback report');
  const report = readReport(bytes(sample?.text ?? ''), false);
  assert.equal(report.kind, 'complaint');
  assert.match('original' in report ? report.original : '', /Return-Path: <TO>/);
});

test('any bytes are parsed without an error, in linear time', () => {
  const pieces = fc.constantFrom(
    ...[
      'Content-Type: multipart/report; boundary=b',
      '--b',
      '--b--',
      '',
      'Action: failed',
      'Status: 5.1.1',
      ':',
      ' x',
    ],
    ...[
      'Content-Type: message/delivery-status',
      'Content-Transfer-Encoding: base64',
      '=3',
      '=\n',
      '<p>',
      '550 5.1.1',
    ],
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' }))),
      fc.boolean(),
      (lines, hasNullSender) => {
        readReport(bytes(lines.join('\n')), hasNullSender);
      },
    ),
  );
  const heads = [
    '',
    'Subject: failure notice\n\n',
    'Content-Type: text/html\nSubject: failure notice\n\n',
    'Content-Type: multipart/report; boundary=b\n\n',
    'Content-Type: message/delivery-status\n\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; ',
  ];
  for (const head of heads)
    for (const piece of [
      '-',
      ' ',
      '<',
      '5.',
      '=',
      '\n',
      '--b\n',
      'a ',
      'user ',
      'exceed',
      '\n ',
      '<style ',
      'x: y\n',
      '=_*- ',
    ])
      readReport(bytes(head + piece.repeat(500_000 / piece.length)), true);
});
