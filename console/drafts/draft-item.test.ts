import assert from 'node:assert/strict';
import test from 'node:test';
import { type DraftContent, DraftItem } from './draft-item.ts';

/** An item that is open in one view, and what was stored of it. */
function openItem(saved: object) {
  const stored: (DraftContent | null)[] = [];
  const item = new DraftItem(saved, {
    store: (content) => stored.push(content),
    onOpen: () => undefined,
    onClose: () => undefined,
  });
  item.subscribe(() => undefined);
  return { item, stored, value: () => item.state().value };
}

test('every change is stored with the saved item that it began with', () => {
  const { item, stored } = openItem({ name: 'A' });
  item.change({ name: 'B' });
  assert.deepEqual(
    stored.map((content) => [content?.base, content?.value]),
    [[{ name: 'A' }, { name: 'B' }]],
  );
});

test('a value that is the saved one again is no draft', () => {
  const { item, stored } = openItem({ name: 'A' });
  item.change({ name: 'B' });
  item.change({ name: 'A' });
  assert.equal(stored.at(-1), null);
  assert.equal(item.state().changedAt, null);
});

test('typing in one field is one step, and another field the next', ({ mock }) => {
  mock.timers.enable({ apis: ['Date'] });
  const { item, value } = openItem({ name: '', note: '' });
  for (const name of ['N', 'Ne', 'New']) item.change({ name, note: '' });
  item.change({ name: 'New', note: 'x' });
  item.undo();
  assert.deepEqual(value(), { name: 'New', note: '' });
  item.undo();
  assert.deepEqual(value(), { name: '', note: '' });
  assert.equal(item.state().canUndo, false);
  item.redo();
  item.redo();
  assert.deepEqual(value(), { name: 'New', note: 'x' });
});

test('the last 200 steps can be undone', () => {
  const { item, value } = openItem({ a: 0, b: 0 });
  for (let step = 1; step <= 201; step += 1)
    item.change(step % 2 === 0 ? { a: step - 1, b: step } : { a: step, b: step - 1 });
  for (let step = 1; step <= 201; step += 1) item.undo();
  assert.deepEqual(value(), { a: 1, b: 0 });
});

test('undo takes back what the user changed, and not what others have saved since', () => {
  const { item, value } = openItem({ name: 'A', days: 1 });
  item.change({ name: 'B', days: 1 });
  item.updateSaved({ name: 'A', days: 2 });
  assert.deepEqual(value(), { name: 'B', days: 2 });
  item.undo();
  assert.deepEqual(value(), { name: 'A', days: 2 });
});

test('what was typed while the item was saved stays a draft', () => {
  const { item, stored } = openItem({ name: 'A', version: 1 });
  const sent = { name: 'B', version: 1 };
  item.change(sent);
  item.change({ name: 'B!', version: 1 });
  item.markSaved(sent);
  item.updateSaved({ name: 'B', version: 2 });
  assert.deepEqual(item.state().value, { name: 'B!', version: 2 });
  assert.deepEqual(stored.at(-1)?.base, { name: 'B', version: 2 });
});

test('a restored draft keeps what was typed before it was read', () => {
  const { item, value } = openItem({ name: 'A', note: '' });
  item.change({ name: 'Typed', note: '' });
  item.restore({ base: { name: 'A', note: '' }, value: { name: 'Old', note: 'Old' }, changedAt: 5 });
  assert.deepEqual(value(), { name: 'Typed', note: 'Old' });
  assert.equal(item.state().restoredAt, 5);
});

test('a draft that others have meanwhile saved just the same is removed', () => {
  const { item, stored } = openItem({ name: 'B', version: 2 });
  item.restore({ base: { name: 'A', version: 1 }, value: { name: 'B', version: 1 }, changedAt: 5 });
  assert.equal(stored.at(-1), null);
  assert.equal(item.state().restoredAt, null);
});

test('conflicting changes wait, and the user decides about each', () => {
  const { item, value } = openItem({ name: 'A', note: '', days: 1 });
  item.change({ name: 'Mine', note: 'Mine', days: 1 });
  const theirs = { name: 'Theirs', note: 'Theirs', days: 2 };
  item.updateSaved(theirs);
  assert.deepEqual(value(), { name: 'Mine', note: 'Mine', days: 1 });
  assert.deepEqual(
    item.conflicts().map(({ path }) => path),
    [['name'], ['note']],
  );
  item.resolve(({ path }) => (path[0] === 'name' ? 'mine' : 'theirs'));
  assert.deepEqual(value(), { name: 'Mine', note: 'Theirs', days: 2 });
  assert.deepEqual(item.state().base, theirs);
});

test('discarding gives up unresolved changes, and undo brings them back with their conflict', () => {
  const { item, value } = openItem({ name: 'A' });
  item.change({ name: 'Mine' });
  item.updateSaved({ name: 'Theirs' });
  item.discard();
  assert.deepEqual(value(), { name: 'Theirs' });
  item.undo();
  assert.deepEqual(value(), { name: 'Mine' });
  assert.equal(item.conflicts().length, 1);
});

test('the draft of a new item has no conflicts with what new ones start with today', () => {
  const owner = { store: () => undefined, onOpen: () => undefined, onClose: () => undefined };
  const item = new DraftItem({ role: 'viewer' }, owner, true);
  item.restore({ base: { role: 'editor' }, value: { role: 'admin' }, changedAt: 5 });
  assert.deepEqual(item.state().value, { role: 'admin' });
  assert.deepEqual(item.conflicts(), []);
});
