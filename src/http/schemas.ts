/** Schemas that many routes share. */
import Type, { type TSchema, type TSchemaOptions } from 'typebox';

/** A value, or null. */
export function nullable<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** The response of a write: the record's id. */
export const IdReply = Type.Object({ id: Type.String() }, { title: 'IdReply' });

/** Marks a member as a secret, so that clients do not show it while a user types or reads it. */
export const secretMark = { 'x-secret': true } as const;

/** The keyword of `asWritten`. Serializers ignore it. */
const SHAPE = 'x-shape';

/**
 * A value that responses contain as it was written. The document describes it by `shape`, which does not limit it:
 * members that the shape does not name are kept.
 */
export function asWritten(shape: TSchema): TSchema {
  return Type.Unknown({ [SHAPE]: shape });
}

/** Returns the shape of an `asWritten` value; other schemas describe themselves. */
export function shapeOf(schema: object): object {
  const shape: unknown = Reflect.get(schema, SHAPE);
  return typeof shape === 'object' && shape !== null ? shape : schema;
}
