/** Filters of lists. */

/** Types of values, by the names that `x-filters` in openapi.json uses. */
interface FilterValues {
  readonly text: string;
  readonly id: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly time: string;
  readonly json: never;
  readonly any: string | number | boolean;
}

/** The type of an operation's value. */
type Operand<Type extends keyof FilterValues, Operation extends string> = Operation extends 'empty' | 'nempty'
  ? unknown
  : Operation extends 'like' | 'nlike'
    ? string
    : Operation extends 'between'
      ? readonly [FilterValues[Type], FilterValues[Type]]
      : Operation extends 'in' | 'nin' | 'nemptyarray'
        ? readonly FilterValues[Type][]
        : Operation extends 'eq' | 'ne'
          ? FilterValues[Type] | null
          : FilterValues[Type];

/** A condition on a field: `{ operation: 'eq', value: 'Ada' }`, or operations with values: `{ gte: 1, lt: 5 }`. */
export type FilterCondition<Type extends keyof FilterValues, Operation extends string> =
  | {
      [Name in Operation]: Name extends 'empty' | 'nempty'
        ? { readonly operation: Name; readonly value?: unknown }
        : { readonly operation: Name; readonly value: Operand<Type, Name> };
    }[Operation]
  | ({ readonly [Name in Operation]?: Operand<Type, Name> | undefined } & { readonly operation?: never });

/** Conditions on fields, all of which must hold. `Fields` has the type of each field. */
export type Filters<Fields extends object, Operation extends string> = {
  readonly [Name in keyof Fields]?: Fields[Name] extends keyof FilterValues
    ? FilterCondition<Fields[Name], Operation> | undefined
    : never;
};
