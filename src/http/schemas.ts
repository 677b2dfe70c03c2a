/** Schemas that many routes share. */
import Type, { type TSchema, type TSchemaOptions } from 'typebox';

/** A value, or null. */
export function nullable<T extends TSchema>(schema: T, options: TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** The answer of a write: the record's id. */
export const IdReply = Type.Object({ id: Type.String() }, { title: 'IdReply' });
