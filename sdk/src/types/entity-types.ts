/** Generates the types of a tenant's entities from the tenant's OpenAPI document. */
import { printDeclaration, printName, printType, type Schema } from './print-type.ts';

/** The parts of the document that the types depend on. */
export interface TenantDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters?: readonly QueryParameter[] } } | undefined>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface QueryParameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
}

/** Parameters of lists that are not conditions. */
const NOT_CONDITIONS = new Set(['page', 'per_page', 'sort', 'fields', 'include', 'search']);

/** Returns a module with the types of the entities, for a `.d.ts` or `.ts` file of the project. */
export function printEntityTypes(document: TenantDocument): string {
  const names = document.tags.map(({ name }) => name);
  const declarations = names.flatMap((name) => [
    printDeclaration(toTypeName(name), withTypeNames(document.components.schemas[name])),
    printDeclaration(
      `${toTypeName(name)}Create`,
      withTypeNames(document.components.schemas[`${name}.create`]),
    ),
    printDeclaration(
      `${toTypeName(name)}Update`,
      withTypeNames(document.components.schemas[`${name}.update`]),
    ),
    printDeclaration(`${toTypeName(name)}Where`, conditionsOf(document, name)),
  ]);
  const entries = names.map((name) => {
    const type = toTypeName(name);
    const members = `record: ${type}; create: ${type}Create; update: ${type}Update; where: ${type}Where`;
    return `    ${printName(name)}: { ${members}; include: ${includesOf(document, name)} };\n`;
  });
  return `/** Written by \`tessera-sdk types\`. */
import 'tessera-sdk';

${declarations.join('\n')}
declare module 'tessera-sdk' {
  interface EntityTypes {
${entries.join('')}  }
}
`;
}

function conditionsOf(document: TenantDocument, name: string): Schema {
  const conditions = queryOf(document, name).filter((parameter) => !NOT_CONDITIONS.has(parameter.name));
  const schemas = new Map(conditions.map((condition) => [condition.name, condition.schema]));
  return {
    type: 'object',
    properties: Object.fromEntries(conditions.map((each) => [each.name, toCondition(each, schemas)])),
    additionalProperties: false,
  };
}

/** A condition has the type of its field, which the parameter for equality has. Lists also accept several values. */
function toCondition({ name, schema }: QueryParameter, schemas: ReadonlyMap<string, Schema>): Schema {
  const [, field = '', operator] = /^(.+)__(ne|gt|lt|gte|lte|in|nin)$/.exec(name) ?? [];
  const own = schemas.get(field);
  if (own === undefined) return schema;
  return operator === 'in' || operator === 'nin' ? { anyOf: [own, { type: 'array', items: own }] } : own;
}

/** Reads the relations from the end of the description of `include`. */
function includesOf(document: TenantDocument, name: string): string {
  const { description = '' } =
    queryOf(document, name).find((parameter) => parameter.name === 'include') ?? {};
  const relations = /: ([\w, ]+)\.$/.exec(description)?.[1]?.split(', ') ?? [];
  return relations.length === 0 ? 'never' : printType({ enum: relations });
}

function queryOf(document: TenantDocument, name: string): readonly QueryParameter[] {
  return (document.paths[`/api/${name}`]?.get?.parameters ?? []).filter(
    (parameter) => parameter.in === 'query',
  );
}

/** Replaces references to schemas of the document, such as `order.create`, by type names. */
function withTypeNames(schema: Schema = {}): Schema {
  const text = JSON.stringify(schema);
  return JSON.parse(
    text.replaceAll(/"#\/components\/schemas\/([^"]+)"/g, (_, name: string) => `"${toTypeName(name)}"`),
  );
}

/** `order_item.create` becomes `OrderItemCreate`. */
function toTypeName(name: string): string {
  return name.replaceAll(/(?:^|[_.])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
