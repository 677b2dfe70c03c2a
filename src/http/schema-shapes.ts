/** The members that a schema names, compiled so that checking a body costs little more than looking up its keys. */
import type { TSchema } from 'typebox';

/** One alternative of a schema, reduced to its members. */
export interface Shape {
  /** The members of an object that the schema names; null if the schema is not an object. */
  readonly members: ReadonlyMap<string, Member> | null;
  /** True if the object may have members that the schema does not name. */
  readonly isOpen: boolean;
  /** The alternatives of the values of unnamed members. */
  readonly values: readonly Shape[];
  /** The alternatives of an array's items; null if the schema is not an array. */
  readonly items: readonly Shape[] | null;
  /** Members with one possible value, which distinguish alternatives. */
  readonly kinds: readonly (readonly [string, unknown])[];
}

/** A member that a schema names. */
export interface Member {
  readonly shapes: readonly Shape[];
  /** True if the member may be left out but must not be null. */
  readonly nullIsAbsent: boolean;
  /** The member as a list of its own, so that a lookup allocates none. */
  readonly alone: readonly Member[];
}

/** Compiles a schema into its alternatives; a union has several. */
export function shapesOf(schema: TSchema): readonly Shape[] {
  return alternativesOf(schema).map(shapeOf);
}

function alternativesOf(schema: TSchema): readonly TSchema[] {
  const { anyOf } = facts(schema);
  return Array.isArray(anyOf) ? anyOf.flatMap(alternativesOf) : [schema];
}

function shapeOf(schema: TSchema): Shape {
  const { properties, items, additionalProperties, patternProperties } = facts(schema);
  const members = properties && Object.entries(properties);
  const required = new Set(facts(schema).required);
  const patterns = Object.values(patternProperties ?? {});
  const named =
    members?.map(([name, property]): [string, Member] => [
      name,
      memberOf(property, !required.has(name) && !takesNull(property)),
    ]) ?? null;
  return {
    members: named && new Map(named),
    // An object schema that names no member is free-form.
    isOpen: patterns.length > 0 || named?.length === 0 || (additionalProperties ?? false) !== false,
    values: patterns.flatMap(shapesOf),
    items: items ? shapesOf(items) : null,
    kinds: members?.flatMap(([name, property]) => constantOf(name, property)) ?? [],
  };
}

function memberOf(property: TSchema, nullIsAbsent: boolean): Member {
  const alone: Member[] = [];
  const member = { shapes: shapesOf(property), nullIsAbsent, alone };
  alone.push(member);
  return member;
}

function constantOf(name: string, property: TSchema): (readonly [string, unknown])[] {
  return 'const' in property ? [[name, property.const]] : [];
}

/** True if null is a valid value, or if the schema does not exclude it. */
function takesNull(schema: TSchema): boolean {
  return alternativesOf(schema).some((each) => {
    const { type, enum: values } = facts(each);
    if ('const' in each) return each.const === null;
    if (Array.isArray(values)) return values.includes(null);
    return type === undefined || [type].flat().includes('null');
  });
}

interface SchemaFacts {
  readonly anyOf?: readonly TSchema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly additionalProperties?: TSchema | boolean;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
}

function facts(schema: TSchema): SchemaFacts {
  return Object(schema);
}
