/** How errors look on the wire: the usual shape, and that of templates and e-mail settings. */
import Type, { type TSchema } from 'typebox';
import { type AppError, type Issue, MAX_ISSUES } from '../errors/app-error.ts';

/** A shape of error bodies. */
export interface ErrorShape {
  /** Under which the reference knows it. */
  readonly name: string;
  readonly schema: TSchema;
  /** The body that tells of an error; it names the request only when something unexpected happened. */
  readonly toBody: (error: AppError, requestId: string) => object;
}

const RequestId = Type.Optional(
  Type.String({ description: 'On unexpected errors: names the request in the log.' }),
);

const plain: ErrorShape = {
  name: 'Error',
  schema: Type.Object({
    message: Type.String(),
    code: Type.String(),
    issues: Type.Optional(
      Type.Array(Type.Object({ field: Type.Optional(Type.String()), message: Type.String() })),
    ),
    request_id: RequestId,
  }),
  toBody: (error, requestId) => ({
    message: error.message,
    code: error.definition.code,
    ...(error.issues ? { issues: issuesOf(error) } : {}),
    ...requestOf(error, requestId),
  }),
};

const wrapped: ErrorShape = {
  name: 'WrappedError',
  schema: Type.Object({
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Array(
        Type.Object({
          field: Type.Optional(Type.String()),
          message: Type.String(),
          variable: Type.Optional(Type.String({ description: 'What no data defines.' })),
          line: Type.Optional(Type.Integer({ description: '1-based line in the template.' })),
          column: Type.Optional(Type.Integer({ description: '1-based column in the template.' })),
        }),
      ),
      request_id: RequestId,
    }),
  }),
  toBody: (error, requestId) => ({
    error: {
      message: error.message,
      code: error.definition.code,
      ...requestOf(error, requestId),
      details: issuesOf(error),
    },
  }),
};

/**
 * The shapes by the word with which a route or a surface chooses one
 * (docs/specification/conventions.md#errors).
 */
export const ERROR_SHAPES = { plain, wrapped } as const;

/** The word for a shape of error bodies. */
export type ErrorEnvelope = keyof typeof ERROR_SHAPES;

function issuesOf({ issues = [] }: AppError): readonly Issue[] {
  return issues.slice(0, MAX_ISSUES);
}

function requestOf({ definition }: AppError, requestId: string): { request_id?: string } {
  return definition.status >= 500 ? { request_id: requestId } : {};
}
