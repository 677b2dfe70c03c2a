/** The shapes of error bodies: the usual one, that of templates and email settings, and that of entity records. */
import Type, { type TSchema } from 'typebox';
import { type AppError, type ErrorDefinition, type Issue, MAX_ISSUES } from '../errors/app-error.ts';
import { TENANT_SUSPENDED } from '../errors/platform-errors.ts';

/** A shape of error bodies. */
export interface ErrorShape {
  /** Its name in the API reference. */
  readonly name: string;
  readonly schema: TSchema;
  /** The code that identifies an error in its bodies. */
  readonly codeOf: (error: ErrorDefinition) => string;
  /** Creates the body of an error. It contains the request id for unexpected errors only. */
  readonly toBody: (error: AppError, requestId: string) => object;
}

const RequestId = Type.Optional(
  Type.String({ description: 'For unexpected errors: id of the request in the log.' }),
);

/**
 * A caller without a valid credential may not know yet which surface it calls, so a 401 has the members of all shapes.
 */
const OnlyFor401 = Type.Optional(Type.String({ description: 'For 401 only.' }));

function isUnauthorized({ definition }: AppError): boolean {
  return definition.status === 401;
}

const plain: ErrorShape = {
  name: 'Error',
  schema: Type.Object({
    message: Type.String(),
    code: Type.String(),
    error: OnlyFor401,
    issues: Type.Optional(
      Type.Array(
        Type.Object(
          {
            field: Type.Optional(Type.String()),
            message: Type.String(),
            id: Type.Optional(Type.String({ description: 'The conflicting record.' })),
          },
          { title: 'ErrorIssue' },
        ),
      ),
    ),
    request_id: RequestId,
  }),
  codeOf: ({ code }) => code,
  toBody: (error, requestId) => ({
    message: error.message,
    code: error.definition.code,
    ...(isUnauthorized(error) ? { error: entityCode(error.definition) } : {}),
    ...(error.issues ? { issues: issuesOf(error) } : {}),
    ...requestIdOf(error, requestId),
  }),
};

const wrapped: ErrorShape = {
  name: 'WrappedError',
  schema: Type.Object({
    error: Type.Object(
      {
        code: Type.String(),
        message: Type.String(),
        details: Type.Array(
          Type.Object(
            {
              field: Type.Optional(Type.String()),
              message: Type.String(),
              variable: Type.Optional(Type.String({ description: 'Undefined variable.' })),
              line: Type.Optional(Type.Integer({ description: '1-based.' })),
              column: Type.Optional(Type.Integer({ description: '1-based.' })),
            },
            { title: 'WrappedErrorDetail' },
          ),
        ),
        request_id: RequestId,
      },
      { title: 'WrappedErrorBody' },
    ),
    message: OnlyFor401,
    code: OnlyFor401,
  }),
  codeOf: ({ code }) => code,
  toBody: (error, requestId) => ({
    error: {
      message: error.message,
      code: error.definition.code,
      ...requestIdOf(error, requestId),
      details: issuesOf(error),
    },
    ...(isUnauthorized(error) ? { message: error.message, code: error.definition.code } : {}),
  }),
};

/** One code for each status (docs/specification/records.md#errors). */
const ENTITY_CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'service_unavailable',
};

const entity: ErrorShape = {
  name: 'EntityError',
  schema: Type.Object({
    error: Type.Enum(Object.values(ENTITY_CODES)),
    message: Type.String(),
    code: Type.Optional(Type.String({ description: 'For 401; `TENANT_SUSPENDED` for 403.' })),
    errors: Type.Optional(
      Type.Union(
        [
          Type.Array(
            Type.Object({ field: Type.String(), message: Type.String() }, { title: 'EntityErrorIssue' }),
          ),
          Type.Array(Type.String()),
        ],
        {
          description: 'For 400 and 409: each invalid field. For 422: each violated rule.',
        },
      ),
    ),
    retry_after: Type.Optional(Type.Integer({ description: 'For 429 and 503: seconds to wait.' })),
    request_id: RequestId,
  }),
  codeOf: entityCode,
  toBody: (error, requestId) => ({
    error: entityCode(error.definition),
    message: error.message,
    ...(includesCode(error) ? { code: error.definition.code } : {}),
    ...entityDetails(error),
    ...requestIdOf(error, requestId),
  }),
};

/** True if clients must distinguish the error from others with the same status. */
function includesCode(error: AppError): boolean {
  return isUnauthorized(error) || error.definition === TENANT_SUSPENDED;
}

function entityCode({ status }: ErrorDefinition): string {
  return ENTITY_CODES[status] ?? 'internal_error';
}

function entityDetails(error: AppError): object {
  const { definition, issues, retryAfterSeconds, message } = error;
  switch (definition.status) {
    case 409:
      return issues ? { errors: fieldIssuesOf(error) } : {};
    case 400:
      return { errors: issues ? fieldIssuesOf(error) : [{ field: '', message }] };
    case 422:
      return { errors: issues ? issuesOf(error).map((issue) => issue.message) : [message] };
    case 429:
    case 503:
      return { retry_after: retryAfterSeconds };
    default:
      return {};
  }
}

/** Lists the issues with their fields; an issue without a field has an empty one. */
function fieldIssuesOf(error: AppError): object[] {
  return issuesOf(error).map(({ field = '', message }) => ({ field, message }));
}

/** The shapes by the name with which a route or a surface chooses one (docs/specification/conventions.md#errors). */
export const ERROR_SHAPES = { plain, wrapped, entity } as const;

/** The name of a shape of error bodies. */
export type ErrorEnvelope = keyof typeof ERROR_SHAPES;

function issuesOf({ issues = [] }: AppError): readonly Issue[] {
  return issues.slice(0, MAX_ISSUES);
}

function requestIdOf({ definition }: AppError, requestId: string): { request_id?: string } {
  return definition.status >= 500 ? { request_id: requestId } : {};
}
