/** Regular expressions of a form's validators. The pattern thread compiles them. */
import type { TenantPattern } from '../../../../patterns/tenant-patterns.ts';
import { isObject, Part } from './definition.ts';
import { isPlainList, OBJECT_LISTS } from './definition-check.ts';
import { ignoresCase } from './validators.ts';

interface PatternNode {
  readonly part: Part;
  readonly path: string;
  readonly role: string;
}

/** Lists the patterns of a definition that has passed `checkDefinition`. */
export function listPatterns(definition: Readonly<Record<string, unknown>>): TenantPattern[] {
  return patternsIn({ part: new Part(definition), path: 'formBuilderOptions', role: 'survey' });
}

function patternsIn(node: PatternNode): TenantPattern[] {
  const { part, path } = node;
  const regex = node.role === 'validator' ? (part.text('regex') ?? '') : '';
  const own = {
    ...{ field: `${path}.regex`, pattern: regex, ignoreCase: ignoresCase(part) },
    malformed: 'must be a regular expression without look-around and references',
  };
  const inside = Object.entries(OBJECT_LISTS).flatMap(([property, { role }]) =>
    isPlainList(node, property)
      ? []
      : part
          .list(property)
          .flatMap((entry, index) =>
            isObject(entry)
              ? patternsIn({ part: new Part(entry), path: `${path}.${property}[${index}]`, role })
              : [],
          ),
  );
  return regex === '' ? inside : [own, ...inside];
}
