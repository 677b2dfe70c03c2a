/**
 * Plans what can be staged before a change, so that the change itself is short: columns, constraints and indexes under
 * temporary names, which no statement on records uses. The plan is data, without SQL.
 */

import { stagedName } from './names.ts';
import { columnTypeOf, type Plan, type Rule, type Step } from './plan.ts';
import type { StoredField } from './stored-field.ts';

/** A new column that exists before its field. */
export interface StagedColumn {
  readonly staged: string;
  readonly field: StoredField;
}

/** A rule that is enforced before the definition contains it. */
export interface StagedRule {
  readonly staged: string;
  /** The field with its column before the change: a new field's staged column, or an existing field's current one. */
  readonly field: StoredField;
  readonly rule: Rule;
}

/** Everything that is staged for a change. */
export interface Staging {
  readonly columns: readonly StagedColumn[];
  readonly rules: readonly StagedRule[];
}

const NONE: Staging = { columns: [], rules: [] };

/** Returns what can be staged for a plan: nothing if the table is rewritten, because that rebuilds its indexes, too. */
export function stagingOf(entity: string, { reshape, constrain }: Plan): Staging {
  const isRewritten =
    reshape.some((step) => step.do === 'convert_column') ||
    constrain.some((step) => step.do === 'add_search');
  if (isRewritten) return NONE;
  const added = new Map(
    reshape.flatMap((step) => (step.do === 'add_column' ? [[step.field.name, step.field] as const] : [])),
  );
  const rules = constrain.flatMap((step): StagedRule[] => {
    if (step.do !== 'add_rule') return [];
    const { field, rule } = step;
    const fieldBefore = added.has(field.name)
      ? { ...field, column: stagedColumnOf(entity, field) }
      : withOldColumn(reshape, field);
    return [{ staged: stagedRuleOf(entity, field, rule), field: fieldBefore, rule }];
  });
  const ruled = new Set(rules.map(({ field }) => field.name));
  const columns = [...added.values()].filter(({ name }) => ruled.has(name));
  return { columns: columns.map((field) => ({ staged: stagedColumnOf(entity, field), field })), rules };
}

/**
 * Returns true if writes by the old definition would break a staged rule on a new field: they leave the field empty,
 * or all give it the same default.
 */
export function breaksOldWrites({ columns }: Staging): boolean {
  return columns.some(({ field }) => (field.default === undefined ? field.required : field.unique));
}

/**
 * Lists the fields whose values can be matched against a pattern before the change, with their current columns. Values
 * that change their type cannot be matched yet.
 */
export function fieldsToMatch({ reshape, patterns }: Plan): readonly StoredField[] {
  const isConverted = ({ name }: StoredField) =>
    reshape.some((step) => step.do === 'convert_column' && step.field.name === name);
  return patterns.some(isConverted) ? [] : patterns.map((field) => withOldColumn(reshape, field));
}

function withOldColumn(reshape: readonly Step[], field: StoredField): StoredField {
  const renamed = reshape.find((step) => step.do === 'rename_column' && step.to === field.column);
  return renamed?.do === 'rename_column' ? { ...field, column: renamed.from } : field;
}

/** A plan that adopts staged parts. */
export interface AdoptedPlan {
  /** The plan, with staged parts renamed instead of created. */
  readonly plan: Plan;
  /** Names of the adopted parts. */
  readonly used: ReadonlySet<string>;
  /** True if the plan still creates something that could have been staged. */
  readonly isPartial: boolean;
}

/** Returns the plan that adopts the `adoptable` parts: staged parts that are complete, so they hold for all rows. */
export function adoptStaged(entity: string, plan: Plan, adoptable: readonly string[]): AdoptedPlan {
  const available = new Set(adoptable);
  const used = new Set<string>();
  let isPartial = false;
  const adopt = (name: string): boolean => {
    if (available.has(name)) used.add(name);
    else isPartial = true;
    return available.has(name);
  };
  const staging = stagingOf(entity, plan);
  const columns = new Map(staging.columns.map(({ staged, field }) => [field.name, staged]));
  const reshape = plan.reshape.map((step): Step => {
    const staged = step.do === 'add_column' ? columns.get(step.field.name) : undefined;
    return step.do === 'add_column' && staged !== undefined && adopt(staged)
      ? { do: 'adopt_column', staged, field: step.field }
      : step;
  });
  const constrain = plan.constrain.map((step): Step => {
    if (step.do !== 'add_rule' || staging.rules.length === 0) return step;
    const staged = stagedRuleOf(entity, step.field, step.rule);
    return adopt(staged) ? { ...step, do: 'adopt_rule', staged } : step;
  });
  return { plan: { ...plan, reshape, constrain }, used, isPartial };
}

function stagedColumnOf(entity: string, field: StoredField): string {
  return stagedName(entity, field.name, [columnTypeOf(field), field.default ?? null]);
}

function stagedRuleOf(entity: string, field: StoredField, rule: Rule): string {
  return stagedName(entity, field.name, [columnTypeOf(field), rule]);
}
