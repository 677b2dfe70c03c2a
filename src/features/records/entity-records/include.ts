/** Which relations a request loads: `order_items.product,customer` as a tree, checked against the definitions. */
import type { Issue } from '../../../errors/app-error.ts';
import type { EntityModel, EntityModels, Relation } from '../entities/index.ts';
import { cut } from './conditions.ts';

/** How deep relations are loaded (docs/specification/records.md#records). */
export const MAX_DEPTH = 4;
/** How many relations one request loads: each is a query. */
const MAX_RELATIONS = 20;

/** A relation to load, with what to load of its records. */
export interface Include {
  readonly relation: Relation;
  readonly model: EntityModel;
  readonly inside: readonly Include[];
}

interface Branch extends Include {
  readonly inside: Branch[];
}

/** Reads the value of `include`. What is wrong with it is added to `issues`. */
export function readInclude(
  models: EntityModels,
  model: EntityModel,
  text: string,
  issues: Issue[],
): readonly Include[] {
  const roots: Branch[] = [];
  let count = 0;
  for (const path of text.split(',')) {
    const names = path.split('.');
    if (names.length > MAX_DEPTH) {
      issues.push({ field: 'include', message: `${cut(path)} is nested deeper than ${MAX_DEPTH} relations` });
      continue;
    }
    let [owner, siblings] = [model, roots];
    for (const name of names) {
      const known = siblings.find(({ relation }) => relation.name === name);
      const branch = known ?? branchOf(models, owner, name);
      if (branch === null) {
        issues.push({ field: 'include', message: `${owner.name} has no relation ${cut(name)}` });
        break;
      }
      if (!known) {
        siblings.push(branch);
        count += 1;
      }
      [owner, siblings] = [branch.model, branch.inside];
    }
  }
  if (count > MAX_RELATIONS)
    issues.push({ field: 'include', message: `must not name more than ${MAX_RELATIONS} relations` });
  return roots;
}

/** Names an include as a part of a statement's shape: the columns that it needs. */
export function keysOf(includes: readonly Include[]): readonly string[] {
  return [...new Set(includes.map(({ relation }) => keyColumn(relation)))];
}

/** The column of a record by which its related ones are found. */
export function keyColumn({ kind, column }: Relation): string {
  return kind === 'belongs_to' ? column : 'id';
}

function branchOf(models: EntityModels, owner: EntityModel, name: string): Branch | null {
  const relation = owner.relations.get(name);
  const model = relation && models.get(relation.entity);
  return relation && model ? { relation, model, inside: [] } : null;
}
