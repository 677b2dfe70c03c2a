/** Checks of relations between definitions. */
import type { Issue } from '../../../errors/app-error.ts';
import type { Definition, Field } from './schema.ts';

/** Returns the issues of a definition's relations, and of other definitions' relations to it. */
export function findBrokenRelations(definition: Definition, others: readonly Definition[]): Issue[] {
  const all = new Map([...others, definition].map((each) => [each.name, each]));
  const own = definition.fields.flatMap((field, index): Issue[] => {
    const fault = faultOf(definition.name, field, all);
    return fault === null ? [] : [{ field: `fields[${index}].relation.${fault.at}`, message: fault.message }];
  });
  const theirs = others.flatMap((other) =>
    other.fields.flatMap((field): Issue[] => {
      if (field.relation?.entity !== definition.name) return [];
      const fault = faultOf(other.name, field, all);
      if (fault === null) return [];
      return [
        {
          field: 'fields',
          message: `must keep ${field.relation.field}, which ${other.name}.${field.name} references`,
        },
      ];
    }),
  );
  return [...own, ...theirs];
}

function faultOf(
  owner: string,
  { relation }: Field,
  all: ReadonlyMap<string, Definition>,
): { at: 'entity' | 'field'; message: string } | null {
  if (relation === undefined) return null;
  const target = all.get(relation.entity);
  if (target === undefined) return { at: 'entity', message: `there is no entity ${relation.entity}` };
  if (relation.kind === 'belongs_to') return null;
  const back = target.fields.find(({ name }) => name === relation.field);
  if (back?.relation?.kind === 'belongs_to' && back.relation.entity === owner) return null;
  return { at: 'field', message: `must be a field of ${target.name} that belongs to ${owner}` };
}

/** Lists the other entities that refer to this one. */
export function listReferrers(name: string, definitions: readonly Definition[]): string[] {
  return definitions
    .filter((each) => each.name !== name && each.fields.some(({ relation }) => relation?.entity === name))
    .map((each) => each.name);
}
