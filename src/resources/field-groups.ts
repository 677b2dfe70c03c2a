/** Paths of fields in bodies and responses: at the top level, or in groups such as `target` of `target.url`. */
import type { Constant, Field, Fields } from './fields.ts';

/** A field and its name. */
export interface NamedField {
  readonly name: string;
  readonly field: Field | Constant;
}

/** Fields and groups of fields by name. */
export type FieldGroup = Map<string, NamedField | FieldGroup>;

/** Groups the selected fields by their paths. */
export function groupFields(fields: Fields, isIn: (field: Field | Constant) => boolean): FieldGroup {
  const top: FieldGroup = new Map();
  for (const [name, field] of Object.entries(fields)) {
    if (!isIn(field)) continue;
    const path = (field.at ?? name).split('.');
    const last = path.pop() ?? name;
    let group = top;
    for (const step of path) {
      const existing = group.get(step);
      const next: FieldGroup = existing instanceof Map ? existing : new Map();
      group.set(step, next);
      group = next;
    }
    group.set(last, { name, field });
  }
  return top;
}

/** Converts fields with `ofField` and groups with `ofGroup`, inner groups first; the outermost group has no name. */
export function fold<T>(
  group: FieldGroup,
  ofField: (named: NamedField) => T,
  ofGroup: (members: readonly (readonly [string, T])[], name: string) => T,
  name = '',
): T {
  const members = [...group].map(
    ([name, member]) =>
      [name, member instanceof Map ? fold(member, ofField, ofGroup, name) : ofField(member)] as const,
  );
  return ofGroup(members, name);
}

/**
 * The schema title of a group: `WebhookTarget` for `target`. The outermost group, and one without a resource, has none.
 */
export function groupTitle(title: string | undefined, name: string, suffix = ''): { title?: string } {
  if (title === undefined || name === '') return {};
  return { title: `${title}${name.charAt(0).toUpperCase()}${name.slice(1)}${suffix}` };
}

/** Returns the value of a field in a body; undefined when it is absent. */
export function valueAt(body: unknown, { name, field }: NamedField): unknown {
  let value = body;
  for (const step of (field.at ?? name).split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
