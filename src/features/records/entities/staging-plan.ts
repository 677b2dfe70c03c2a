/**
 * What of a change can be made beforehand, so that the change itself is short: columns under another name, which no statement of
 * records names, and rules as constraints and indexes of another name. Worked out as data, as the plan is.
 */

import type { StoredField } from './models.ts';
import { stagedName } from './names.ts';
import { columnTypeOf, type Plan, type Rule, type Step } from './plan.ts';

/** A new column that is there before its field. */
export interface StagedColumn {
  readonly staged: string;
  readonly field: StoredField;
}

/** A rule that rows satisfy before the definition says so. */
export interface StagedRule {
  readonly staged: string;
  /** With its column as it is called beforehand. */
  readonly field: StoredField;
  readonly rule: Rule;
}

/** What is made beforehand. */
export interface Staging {
  readonly columns: readonly StagedColumn[];
  readonly rules: readonly StagedRule[];
}

/** Nothing is made beforehand. */
const NONE: Staging = { columns: [], rules: [] };

/** What can be made beforehand for a plan: nothing where the table is written anew, as its indexes are then, too. */
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
    const before = added.has(field.name)
      ? { ...field, column: stagedColumnOf(entity, field) }
      : asBefore(reshape, field);
    return [{ staged: stagedRuleOf(entity, field, rule), field: before, rule }];
  });
  const ruled = new Set(rules.map(({ field }) => field.name));
  const columns = [...added.values()].filter(({ name }) => ruled.has(name));
  return { columns: columns.map((field) => ({ staged: stagedColumnOf(entity, field), field })), rules };
}

/**
 * Whether who writes by the definition before would break a rule of a field that it does not have: records that do not name a
 * field have no value without a default, and all the same with one.
 */
export function refusesFormer({ columns }: Staging): boolean {
  return columns.some(({ field }) => (field.default === undefined ? field.required : field.unique));
}

/** The fields whose values are matched against a pattern, with their columns as they are called before the change; of values that change their type nothing can be told before. */
export function matchedBefore({ reshape, patterns }: Plan): readonly StoredField[] {
  const isConverted = ({ name }: StoredField) =>
    reshape.some((step) => step.do === 'convert_column' && step.field.name === name);
  return patterns.some(isConverted) ? [] : patterns.map((field) => asBefore(reshape, field));
}

function asBefore(reshape: readonly Step[], field: StoredField): StoredField {
  const renamed = reshape.find((step) => step.do === 'rename_column' && step.to === field.column);
  return renamed?.do === 'rename_column' ? { ...field, column: renamed.from } : field;
}

/** What a change takes over of what was made beforehand. */
export interface TakenOver {
  /** With what is there taken over instead of made. */
  readonly plan: Plan;
  /** The names of what is taken over. */
  readonly used: ReadonlySet<string>;
  /** Whether a step is left that could have been made beforehand. */
  readonly isPartial: boolean;
}

/** The plan of a change, given the names of what is there beforehand and holds for all rows. */
export function takeOver(entity: string, plan: Plan, intact: readonly string[]): TakenOver {
  const there = new Set(intact);
  const used = new Set<string>();
  let isPartial = false;
  const take = (staged: string): boolean => {
    if (there.has(staged)) used.add(staged);
    else isPartial = true;
    return there.has(staged);
  };
  const staging = stagingOf(entity, plan);
  const columns = new Map(staging.columns.map(({ staged, field }) => [field.name, staged]));
  const reshape = plan.reshape.map((step): Step => {
    const staged = step.do === 'add_column' ? columns.get(step.field.name) : undefined;
    return step.do === 'add_column' && staged !== undefined && take(staged)
      ? { do: 'take_column', staged, field: step.field }
      : step;
  });
  const constrain = plan.constrain.map((step): Step => {
    if (step.do !== 'add_rule' || staging.rules.length === 0) return step;
    const staged = stagedRuleOf(entity, step.field, step.rule);
    return take(staged) ? { ...step, do: 'take_rule', staged } : step;
  });
  return { plan: { ...plan, reshape, constrain }, used, isPartial };
}

function stagedColumnOf(entity: string, field: StoredField): string {
  return stagedName(entity, field.name, [columnTypeOf(field), field.default ?? null]);
}

function stagedRuleOf(entity: string, field: StoredField, rule: Rule): string {
  return stagedName(entity, field.name, [columnTypeOf(field), rule]);
}
