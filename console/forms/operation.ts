/** Operations of the API, as forms need them. The build takes those that are imported from `openapi.json`. */

/** Role that a caller needs for an operation, as in `openapi.json`. */
export type Access = 'public' | 'operator' | 'member' | 'viewer' | 'editor' | 'admin' | 'owner';

/** A member of a request, and its limits. */
export interface FieldSchema {
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'object' | 'other';
  readonly isRequired?: true;
  readonly isNullable?: true;
  /** The server never returns the value. */
  readonly isSecret?: true;
  /** Smallest number, or fewest characters or items. */
  readonly min?: number;
  /** Largest number, or most characters or items. */
  readonly max?: number;
  /** JSON Schema format of a text, such as `email`. The server may accept other texts, too. */
  readonly format?: string;
  /** Allowed values of a choice, or of the items of a list. */
  readonly choices?: readonly string[];
  /** Members of an object, or of each object in a list. */
  readonly fields?: FieldSchemas;
}

/** Members of a request or of an object in it, by name. */
export type FieldSchemas = Readonly<Record<string, FieldSchema>>;

/** An operation of the API: `import create from 'operation:api_keys.create'`. */
export interface Operation {
  /** The SDK's method, such as `apiKeys.create`. */
  readonly name: string;
  readonly method: string;
  /** Path with parameters, such as `/api/client/v1/api-keys/{id}`. */
  readonly path: string;
  /** Security scheme, such as `ApiKey`; `None` for public operations. */
  readonly credential: string;
  readonly access: Access;
  /** Set if a role counts only in Default, whatever unit the URL names. */
  readonly accessUnit?: 'default';
  readonly fields: FieldSchemas;
}

/** True if the server completes a request with what it has stored, so that absent members keep their values. */
export function isUpdate({ method }: Operation): boolean {
  return method === 'PUT' || method === 'PATCH';
}
