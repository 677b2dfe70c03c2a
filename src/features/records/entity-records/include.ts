/** Parses `include`: `order_items.product,customer` becomes a tree, checked against the definitions. */
import type { Issue } from '../../../errors/app-error.ts';
import type { EntityModel, EntityModels, Relation } from '../entities/index.ts';
import { cut } from './conditions.ts';

/** Maximum depth of relations (docs/specification/records.md#records). */
export const MAX_DEPTH = 4;
/** Maximum number of relations per request: each is a query. */
const MAX_RELATIONS = 20;

/** A relation to load, and the relations of its records. */
export interface Include {
  readonly relation: Relation;
  readonly model: EntityModel;
  readonly inside: readonly Include[];
}

interface Branch extends Include {
  readonly inside: Branch[];
}

/** Parses `include` and adds problems to `issues`. */
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
    issues.push({ field: 'include', message: `must have at most ${MAX_RELATIONS} relations` });
  return roots;
}

/** Returns the columns that the includes need; they are part of a statement's shape. */
export function keysOf(includes: readonly Include[]): readonly string[] {
  return [...new Set(includes.map(({ relation }) => keyColumn(relation)))];
}

/** Returns the column of a record that identifies its related records. */
export function keyColumn({ kind, column }: Relation): string {
  return kind === 'belongs_to' ? column : 'id';
}

function branchOf(models: EntityModels, owner: EntityModel, name: string): Branch | null {
  const relation = owner.relations.get(name);
  const model = relation && models.get(relation.entity);
  return relation && model ? { relation, model, inside: [] } : null;
}
