import assert from 'node:assert/strict';
import test from 'node:test';
import type { SendResult } from '../../../../mail/transport.ts';
import type { Outcome } from '../../../../work-queue/work-queue.ts';
import {
  type FailedAttempt,
  longestWaitSeconds,
  outcomeOfFault,
  outcomeOfResult,
} from './attempt-outcome.ts';
import type { MessageResult } from './queries.ts';

const at = new Date('2030-01-02T00:00:00.000Z');
const refusal: Extract<SendResult, { kind: 'rejected' }> = {
  ...{ kind: 'rejected', refused: 'recipient', code: 451, reply: '4.2.0 later', permanent: false },
};
const outage = { kind: 'unavailable', error: 'gone', hasBodyStarted: false } as const;
const lostAnswer = { ...outage, hasBodyStarted: true };

/** A failed attempt after `attempts` others, `hours` after the first due time. */
function failedAttempt({ attempts = 0, faults = 0, hours = 0, scheduled = false } = {}): FailedAttempt {
  const due = new Date(at.getTime() - hours * 3_600_000);
  return {
    claim: { attempts, faults },
    transmission: scheduled
      ? { created_at: new Date(0).toISOString(), scheduled_at: due.toISOString() }
      : { created_at: due.toISOString(), scheduled_at: null },
    ...{ renderedAt: at, at },
  };
}

function waitOf(outcome: Outcome<MessageResult>): number {
  assert.equal(outcome.kind, 'retry');
  return outcome.kind === 'retry' ? (outcome.dueAt.getTime() - at.getTime()) / 1000 : 0;
}

function resultOf(outcome: Outcome<MessageResult>): MessageResult {
  assert.ok('result' in outcome && outcome.result);
  return outcome.result;
}

/** True if the attempt counts against the message. */
function isFault(outcome: Outcome<MessageResult>): boolean {
  return 'isFault' in outcome && outcome.isFault === true;
}

test('while the relay is unavailable a message is retried after 30 seconds, doubling up to half an hour', () => {
  const waits = Array.from({ length: 9 }, (_, attempts) =>
    waitOf(outcomeOfResult(failedAttempt({ attempts }), outage)),
  );
  assert.deepEqual(waits, [30, 60, 120, 240, 480, 960, 1800, 1800, 1800]);
});

test('a message fails a day after it was due, after eight attempts', () => {
  const isOver = (more: Parameters<typeof failedAttempt>[0]) =>
    outcomeOfResult(failedAttempt(more), outage).kind === 'failed';
  assert.equal(isOver({ attempts: 50, hours: 23.9 }), false);
  assert.equal(isOver({ attempts: 50, hours: 23.9, scheduled: true }), false);
  assert.equal(isOver({ attempts: 6, hours: 100 }), false);
  assert.equal(isOver({ attempts: 7, hours: 24 }), true);
  assert.equal(isOver({ attempts: 7, hours: 24, scheduled: true }), true);
});

test('an outage of the relay does not reduce the attempts for a later temporary refusal', () => {
  const outcome = outcomeOfResult(failedAttempt({ attempts: 12, hours: 20 }), refusal);
  assert.equal(outcome.kind, 'retry');
  assert.equal(waitOf(outcome), 300);
  assert.ok(isFault(outcome));
  const last = outcomeOfResult(failedAttempt({ attempts: 19, faults: 7, hours: 30 }), refusal);
  const { event } = resultOf(last);
  assert.deepEqual([last.kind, event?.type, event?.bounceClass], ['failed', 'bounce', 'soft']);
});

test('a message in flight when the relay stopped responding has as many attempts as a refused one', () => {
  const waits = Array.from({ length: 7 }, (_, faults) =>
    waitOf(outcomeOfResult(failedAttempt({ attempts: faults + 3, faults }), lostAnswer)),
  );
  assert.deepEqual(waits, [300, 600, 1200, 2400, 4800, 9600, 19_200]);
  const outcome = outcomeOfResult(failedAttempt({ attempts: 10, faults: 7 }), lostAnswer);
  const { status, event } = resultOf(outcome);
  assert.deepEqual([outcome.kind, status, isFault(outcome), event], ['failed', 'failed', true, undefined]);
});

test('a message that cannot be built because of a bug has as many attempts and then fails', () => {
  const first = outcomeOfFault(failedAttempt({ attempts: 12 }), 'broken');
  assert.deepEqual([waitOf(first), isFault(first), resultOf(first).status], [300, true, 'queued']);
  const last = outcomeOfFault(failedAttempt({ attempts: 12, faults: 7 }), 'broken');
  assert.deepEqual([last.kind, resultOf(last).status, resultOf(last).ended_at], ['failed', 'failed', at]);
});

test('no retry is later than the longest wait after as many attempts', () => {
  for (let attempts = 0; attempts < 30; attempts += 1) {
    assert.ok(
      waitOf(outcomeOfResult(failedAttempt({ attempts }), outage)) <= longestWaitSeconds(attempts + 1),
    );
    const faults = Math.min(attempts, 6);
    assert.ok(
      waitOf(outcomeOfResult(failedAttempt({ attempts, faults }), refusal)) <=
        longestWaitSeconds(attempts + 1),
    );
  }
});

test('a refusal of the account counts as an outage for a day, and never as a bounce', () => {
  const quota = { ...refusal, refused: 'account', code: 550, reply: 'quota', permanent: true } as const;
  const first = outcomeOfResult(failedAttempt(), quota);
  assert.deepEqual([first.kind, waitOf(first), isFault(first)], ['retry', 30, false]);
  const last = outcomeOfResult(failedAttempt({ attempts: 50, hours: 25 }), quota);
  assert.deepEqual([last.kind, resultOf(last).status, resultOf(last).event], ['failed', 'failed', undefined]);
});

test('a refused sender and an address that the relay cannot accept fail the message without a bounce', () => {
  for (const refused of ['sender', 'address'] as const) {
    const last = outcomeOfResult(failedAttempt(), {
      ...refusal,
      refused,
      code: 550,
      reply: 'no',
      permanent: true,
    });
    assert.deepEqual(
      [last.kind, resultOf(last).status, resultOf(last).event],
      ['failed', 'failed', undefined],
    );
  }
});

test('a network address in a refusal is not parsed as a status', () => {
  const reply = 'Service unavailable; client [5.1.1.200] blocked using a list';
  const { event } = resultOf(
    outcomeOfResult(failedAttempt(), { ...refusal, code: 554, reply, permanent: true }),
  );
  assert.equal(event?.bounceClass, 'soft');
});
