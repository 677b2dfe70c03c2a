/** The patterns of a definition's fields, and the values of the definition that must match them. */
import type { TenantPattern } from '../../../patterns/tenant-patterns.ts';
import { USER_IDS } from './definition-checks.ts';
import type { Field, Workflow } from './schema.ts';
import { patternFault } from './values.ts';

interface DefinitionBody {
  readonly fields: readonly Field[];
  readonly workflow?: Workflow | null | undefined;
}

/** Lists the patterns of a definition. The definition must have passed all other checks. */
export function patternsOf({ fields, workflow }: DefinitionBody): TenantPattern[] {
  return fields.flatMap((field, index): TenantPattern[] => {
    const { pattern, name } = field;
    if (pattern === undefined) return [];
    const at = `fields[${index}]`;
    const message = patternFault(pattern);
    const texts = (path: string, all: readonly string[], fault: (text: string) => string) =>
      all.map((text) => ({ field: path, text, message: fault(text) }));
    const states = workflow?.field === name ? workflow.states : [];
    const ids = workflow?.owner_field === name ? USER_IDS : [];
    return [
      {
        ...{ field: `${at}.pattern`, pattern, ignoreCase: false },
        malformed: 'is malformed, too large, or has look-around or back-references',
        values: [
          ...texts(`${at}.default`, typeof field.default === 'string' ? [field.default] : [], () => message),
          ...texts('workflow.states', states, (state) => `${message}, as ${name} says: ${state}`),
          ...texts('workflow.owner_field', ids, () => `must be a field for the id of a user, but ${message}`),
        ],
      },
    ];
  });
}
