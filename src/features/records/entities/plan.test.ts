import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { isText } from './models.ts';
import { columnTypeOf, planChange, type Step, type TableDefinition, tableDefinitionOf } from './plan.ts';
import type { Definition, Field } from './schema.ts';
import { adoptStaged, type Staging, stagingOf } from './staging-plan.ts';
import type { StoredField } from './stored-field.ts';

const typed = fc.constantFrom('string', 'text', 'integer', 'number', 'boolean', 'json', 'uuid', 'enum');
const option = (value: unknown) => fc.constantFrom(undefined, value);

const field = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd_id'),
    type: typed,
    required: option(true),
    unique: option(true),
    indexed: option(true),
    searchable: option(true),
    min: option(1),
    max: option(9),
    pattern: fc.constantFrom(undefined, 'x', 'y'),
  })
  .map(({ pattern, ...given }): Field => {
    const all = isText(given.type) ? { ...given, pattern } : given;
    const options = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return { name: given.name, type: given.type, ...options };
  });
const relation = fc
  .constantFrom('item', 'other')
  .map((entity): Field => ({ name: 'd', type: 'relation', relation: { entity, kind: 'belongs_to' } }));
const fields = fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: field }, relation), {
  selector: ({ name }) => name.replace('_id', ''),
  maxLength: 5,
});
const facts = fields.map((each): TableDefinition => {
  const definition: Definition = { name: 'item', owned_by: 'tenant', fields: each, workflow: null };
  return tableDefinitionOf(definition);
});

/** A simulated table: columns with their types, and the objects that depend on them. */
class Table {
  readonly columns = new Map<string, string>();
  readonly rules = new Map<string, { readonly column: string; readonly rule: string }>();
  search: readonly string[] = [];

  run(step: Step): void {
    switch (step.do) {
      case 'create_table':
        for (const each of step.fields) this.#add(each);
        break;
      case 'drop_table':
        this.columns.clear();
        break;
      case 'drop_rule':
        assert.ok(this.rules.delete(step.name), `${step.name} is there to be dropped`);
        break;
      case 'drop_search':
        this.search = [];
        break;
      case 'drop_column':
        this.#requireFree(step.column);
        assert.ok(this.columns.delete(step.column));
        break;
      case 'add_column':
        assert.ok(!this.columns.has(step.field.column));
        this.#add(step.field);
        break;
      case 'convert_column':
        this.#requireFree(step.field.column);
        assert.ok(this.columns.has(step.field.column));
        this.#add(step.field);
        break;
      case 'adopt_column': {
        const rules = this.#standingOn(step.staged);
        assert.ok(this.columns.delete(step.staged) && !this.columns.has(step.field.column));
        this.#add(step.field);
        for (const [name, each] of rules) this.rules.set(name, { ...each, column: step.field.column });
        break;
      }
      case 'adopt_rule':
        assert.equal(this.rules.get(step.staged)?.rule, JSON.stringify(step.rule));
        assert.equal(this.rules.get(step.staged)?.column, step.field.column);
        this.rules.delete(step.staged);
        this.rules.set(step.name, { column: step.field.column, rule: JSON.stringify(step.rule) });
        break;
      case 'rename_column':
        this.#rename(step.from, step.to);
        break;
      case 'add_rule':
        assert.ok(this.columns.has(step.field.column) && !this.rules.has(step.name));
        this.rules.set(step.name, { column: step.field.column, rule: JSON.stringify(step.rule) });
        break;
      case 'add_search':
        assert.deepEqual(this.search, []);
        this.search = step.columns;
        break;
    }
  }

  #add(each: StoredField): void {
    this.columns.set(each.column, columnTypeOf(each));
  }

  /** Stages everything that can be staged. */
  stage({ columns, rules }: Staging): void {
    for (const { staged, field } of columns) this.#add({ ...field, column: staged });
    for (const { staged, field, rule } of rules) {
      assert.ok(this.columns.has(field.column), `${field.column} is there beforehand`);
      this.rules.set(staged, { column: field.column, rule: JSON.stringify(rule) });
    }
  }

  #standingOn(column: string) {
    return [...this.rules].filter(([, each]) => each.column === column);
  }

  /** Constraints and indexes follow a renamed column. */
  #rename(from: string, to: string): void {
    const type = this.columns.get(from);
    assert.ok(type !== undefined && !this.columns.has(to));
    this.columns.delete(from);
    this.columns.set(to, type);
    for (const [name, each] of this.#standingOn(from)) this.rules.set(name, { ...each, column: to });
    this.search = this.search.map((column) => (column === from ? to : column));
  }

  /** Asserts that nothing depends on a column that is dropped or converted. */
  #requireFree(column: string): void {
    assert.deepEqual(this.#standingOn(column), []);
    assert.ok(!this.search.includes(column));
  }

  get facts() {
    const sorted = (map: ReadonlyMap<string, unknown>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
    return { columns: sorted(this.columns), rules: sorted(this.rules), search: this.search };
  }
}

function createdTable(of: TableDefinition): Table {
  const table = new Table();
  const { reshape, constrain } = planChange(null, of);
  for (const step of [...reshape, ...constrain]) table.run(step);
  return table;
}

test('a changed table equals one created from the new definition', () => {
  fc.assert(
    fc.property(facts, facts, (old, next) => {
      const table = createdTable(old);
      const { reshape, constrain } = planChange(old, next);
      for (const step of [...reshape, ...constrain]) table.run(step);
      assert.deepEqual(table.facts, createdTable(next).facts);
    }),
  );
});

test('staged parts are adopted completely, and give the same table', () => {
  fc.assert(
    fc.property(facts, facts, (old, next) => {
      const fullPlan = planChange(old, next);
      const staging = stagingOf('item', fullPlan);
      const table = createdTable(old);
      table.stage(staging);
      const names = [...staging.columns, ...staging.rules].map(({ staged }) => staged);
      const { plan, used, isPartial } = adoptStaged('item', fullPlan, names);
      assert.deepEqual([[...used].sort(), isPartial], [[...names].sort(), false]);
      for (const step of [...plan.reshape, ...plan.constrain]) table.run(step);
      assert.deepEqual(table.facts, createdTable(next).facts);
    }),
  );
});

test('parts staged for another definition are adopted only if they are equal', () => {
  fc.assert(
    fc.property(facts, facts, facts, (old, next, other) => {
      const [own, theirs] = [next, other].map((each) => stagingOf('item', planChange(old, each)));
      assert.ok(own && theirs);
      const factsOfNames = ({ columns, rules }: Staging) =>
        new Map<string, unknown>([
          ...columns.map(({ staged, field }) => [staged, [field.name, columnTypeOf(field)]] as const),
          ...rules.map(
            ({ staged, field, rule }) => [staged, [field.name, columnTypeOf(field), rule]] as const,
          ),
        ]);
      const [ownFacts, theirFacts] = [factsOfNames(own), factsOfNames(theirs)];
      const { used, isPartial } = adoptStaged('item', planChange(old, next), [...theirFacts.keys()]);
      for (const name of used) assert.deepEqual(ownFacts.get(name), theirFacts.get(name));
      assert.equal(isPartial, used.size < ownFacts.size);
    }),
  );
});

test('an unchanged definition changes and locks nothing', () => {
  fc.assert(
    fc.property(facts, (same) => {
      const plan = planChange(same, same);
      assert.deepEqual([plan.reshape, plan.constrain, plan.patterns, plan.parents.size], [[], [], [], 0]);
    }),
  );
});

test('columns of fields that keep their name and type are never dropped or converted', () => {
  fc.assert(
    fc.property(facts, facts, (old, next) => {
      const types = new Map(next.fields.map((each) => [each.name, columnTypeOf(each)]));
      const unchanged = old.fields.filter((each) => types.get(each.name) === columnTypeOf(each));
      const columns = new Set(unchanged.map(({ column }) => column));
      const names = new Set(unchanged.map(({ name }) => name));
      for (const step of planChange(old, next).reshape) {
        if (step.do === 'drop_column') assert.ok(!columns.has(step.column));
        if (step.do === 'convert_column' || step.do === 'add_column') assert.ok(!names.has(step.field.name));
      }
    }),
  );
});
