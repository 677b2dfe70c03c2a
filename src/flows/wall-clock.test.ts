import assert from 'node:assert/strict';
import test from 'node:test';
import { momentOf } from './wall-clock.ts';

function iso(text: string, zone: string): string | undefined {
  return momentOf(text, zone)?.toISOString();
}

test('a wall-clock time is that of its zone, in summer and in winter', () => {
  assert.equal(iso('2026-07-01T09:00:00', 'UTC'), '2026-07-01T09:00:00.000Z');
  assert.equal(iso('2026-07-01T09:00:00', 'Australia/Sydney'), '2026-06-30T23:00:00.000Z');
  assert.equal(iso('2027-01-01T09:00:00', 'Australia/Sydney'), '2026-12-31T22:00:00.000Z');
  assert.equal(iso('2027-01-01T09:00:00', 'Australia/Brisbane'), '2026-12-31T23:00:00.000Z');
  assert.equal(iso('2026-07-01T00:00:00', 'America/Sao_Paulo'), '2026-07-01T03:00:00.000Z');
});

test('a time that the clocks skip moves forward by the gap', () => {
  // Sydney, 4 October 2026: 02:00 becomes 03:00.
  assert.equal(iso('2026-10-04T01:59:59', 'Australia/Sydney'), '2026-10-03T15:59:59.000Z');
  assert.equal(iso('2026-10-04T02:30:00', 'Australia/Sydney'), '2026-10-03T16:30:00.000Z');
  assert.equal(iso('2026-10-04T03:30:00', 'Australia/Sydney'), '2026-10-03T16:30:00.000Z');
});

test('a time that occurs twice is the first of the two', () => {
  // Sydney, 4 April 2027: 03:00 becomes 02:00.
  assert.equal(iso('2027-04-04T01:59:59', 'Australia/Sydney'), '2027-04-03T14:59:59.000Z');
  assert.equal(iso('2027-04-04T02:30:00', 'Australia/Sydney'), '2027-04-03T15:30:00.000Z');
  assert.equal(iso('2027-04-04T03:00:00', 'Australia/Sydney'), '2027-04-03T17:00:00.000Z');
});

test('Brazil had summer time until it abolished it', () => {
  // São Paulo, 4 November 2018: 00:00 became 01:00; 17 February 2019: 24:00 became 23:00.
  assert.equal(iso('2018-11-04T00:30:00', 'America/Sao_Paulo'), '2018-11-04T03:30:00.000Z');
  assert.equal(iso('2019-02-16T23:30:00', 'America/Sao_Paulo'), '2019-02-17T01:30:00.000Z');
});

test('seconds and fractions are optional', () => {
  assert.equal(iso('2026-07-01T09:00', 'Australia/Sydney'), '2026-06-30T23:00:00.000Z');
  assert.equal(iso('2026-07-01T09:00:07.25', 'Australia/Sydney'), '2026-06-30T23:00:07.250Z');
  assert.equal(iso('2026-07-01T09:00:00.123456789', 'UTC'), '2026-07-01T09:00:00.123Z');
});

test('a time with Z or an offset is absolute, whatever the zone', () => {
  assert.equal(iso('2026-07-01T09:00:00Z', 'Australia/Sydney'), '2026-07-01T09:00:00.000Z');
  assert.equal(iso('2026-07-01T09:00+02:00', 'Australia/Sydney'), '2026-07-01T07:00:00.000Z');
  assert.equal(iso('2026-07-01T09:00:00.5-03:30', 'UTC'), '2026-07-01T12:30:00.500Z');
});

test('an invalid calendar time is rejected', () => {
  for (const text of [
    '2027-02-29T10:00:00',
    '2026-04-31T10:00:00',
    '2026-13-01T10:00:00',
    '2026-01-01T24:00:00',
    '2026-01-01T10:60:00',
    '2026-01-01T10',
    '2026-01-01T10:00:00+25:00',
    '2026-04-31T10:00:00Z',
    '2026-01-01T10:00:00 Z',
    '2026-01-01 10:00:00',
  ])
    assert.equal(momentOf(text, 'UTC'), null, text);
  assert.equal(iso('2028-02-29T10:00:00', 'UTC'), '2028-02-29T10:00:00.000Z');
});
