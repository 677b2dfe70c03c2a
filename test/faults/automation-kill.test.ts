/** Kills a process between any two actions, and while they run. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ACTION_CASES, type CaseSite, type Subject } from '../harness/action-cases.ts';
import {
  assertAllHappened,
  assertTimes,
  callsOf,
  delayCalls,
  keysOf,
  startActionSite,
  startAllActions,
} from '../harness/action-site.ts';
import { ACTION_TYPES } from '../harness/actions.ts';
import { action, automation, endOfRun, startRun } from '../harness/automations.ts';
import { eventually } from '../harness/poll.ts';
import type { Receiver } from '../harness/receiver.ts';

export const runsOn = ['server'];

const RUNS = 8;
/** Time after the start of a process, in ms. */
const MOMENTS_MS = [0, 60, 250];
const BOUND_MS = 60_000;

const types = ACTION_TYPES.map(({ key }) => key);

test('every action type has a test case', () => {
  assert.deepEqual(Object.keys(ACTION_CASES).sort(), types.toSorted());
});

test('a kill before and after an action of any type leaves it done once, and its calls have one key', async () => {
  const killed = await startActionSite();
  const { receiver } = killed;
  const subjects = new Map<string, Subject>();
  const runs = new Map<string, string>();
  const site = killed.current();
  let release = delayCalls(receiver, '/before/');
  for (const [key, { params, subject }] of Object.entries(ACTION_CASES)) {
    const own = await subject(site, `only_${key}`);
    const it = action('it', key, params(site));
    const actions = [call(receiver, 'before', key), it, call(receiver, 'after', key)];
    await site.api.post('/api/automations', automation(`kill_${key}`, actions));
    subjects.set(key, own);
    runs.set(key, await startRun(site.api, `kill_${key}`, { [key]: own }));
  }
  const reached = (place: string, times: number) => () =>
    types.every((key) => callsOf(receiver, `/${place}/${key}`).length >= times);
  await eventually('every run to be before its action', reached('before', 1), BOUND_MS);
  await killed.restart();
  await eventually('every run to be there again', reached('before', 2), BOUND_MS);
  await assertHappened(killed.current(), subjects, 0);
  release();
  release = delayCalls(receiver, '/after/');
  await eventually('every run to be behind its action', reached('after', 1), BOUND_MS);
  await killed.restart();
  await eventually('every run to be there again', reached('after', 2), BOUND_MS);
  release();
  for (const [key, runId] of runs) {
    const { status, actions } = await endOfRun(killed.current().api, `kill_${key}`, runId, BOUND_MS);
    assert.equal(status, 'succeeded', `${key}: ${JSON.stringify(actions)}`);
    assert.deepEqual(
      actions.map(({ key: name }) => name),
      ['before', 'it', 'after'],
    );
    for (const place of ['before', 'after']) assert.equal(keysOf(receiver, `/${place}/${key}`).size, 1);
  }
  await assertHappened(killed.current(), subjects, 1);
});

test('kills during runs of all action types leave every action done once', async () => {
  const killed = await startActionSite();
  const all = await startAllActions(killed.current(), RUNS);
  for (const delayMs of MOMENTS_MS) {
    await setTimeout(delayMs);
    await killed.restart();
  }
  await assertAllHappened(killed, all);
});

/** A call between two actions, with a path of its own. */
function call({ url }: Receiver, place: string, key: string) {
  return action(place, 'httpRequest', { method: 'POST', url: `${url}/${place}/${key}`, body: {} });
}

async function assertHappened(
  site: CaseSite,
  subjects: ReadonlyMap<string, Subject>,
  times: number,
): Promise<void> {
  for (const [key, { countEffects }] of Object.entries(ACTION_CASES)) {
    const subject = subjects.get(key);
    if (countEffects !== null)
      await assertTimes(key, times, () => countEffects(site, subject ? [subject] : []));
  }
}
