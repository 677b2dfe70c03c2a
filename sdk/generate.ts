/**
 * Writes src/generated from ../openapi.json: `npm run sdk`. With `--check` it only fails when the files are not up to
 * date.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILTER_OPERATIONS, FILTER_TYPES, type ListFacts } from './src/list-facts.ts';
import { allName, canStream, isPaged, type OperationText } from './src/operation.ts';
import { printComment, printDeclaration, printName, printType, type Schema } from './src/types/print-type.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly $ref?: string;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

type Security = readonly Readonly<Record<string, unknown>>[];

interface DocumentOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Absent: that of the document. */
  readonly security?: Security;
  /** Set if the path in the document is not the one to call. */
  readonly 'x-path'?: string;
  /** Set if the reply can be a stream of events. */
  readonly 'x-stream'?: true;
  readonly 'x-filters'?: {
    readonly fields: Readonly<Record<string, { readonly type: string; readonly values?: readonly string[] }>>;
    readonly operations: readonly string[];
  };
  /** Fields that a list can be sorted by. */
  readonly 'x-sort'?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The operations of a path, and the parameters that all of them have. */
interface PathItem extends Readonly<Partial<Record<HttpMethod, DocumentOperation>>> {
  readonly parameters?: readonly Parameter[];
}

type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Document {
  readonly security: Security;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** A method of the SDK. */
interface Method {
  readonly resource: string;
  readonly name: string;
  readonly text: OperationText;
  readonly signature: string;
  /** The declarations of the types of its query and its filters. */
  readonly inputTypes: string;
  /** How the list can be sorted and filtered; null for other operations. */
  readonly facts: ListFacts | null;
}

const GENERATED = join(import.meta.dirname, 'src/generated');
const NOTICE = '/** Generated from openapi.json by `npm run sdk`. */\n';
/** Operations for browsers and mail programs, and those that `records()` calls. */
const LEFT_OUT =
  /^(?:records|embed|email_tracking|automation_hooks|operations)\.|^provider_hooks\.receive$|\.script$/;
/** Query parameters that the SDK fills in when a list is called without them. */
const FILLED_IN = ['page', 'limit', 'filters'];
/** Fields that the SDK fills in when a record with a history of its own is created without them. */
const STAMPED = ['version', 'created_at'];
const SORT_COMMENT = 'A field; `-` before it means descending. Default: `-created_at`.';
const RAW_BODY = 'string | Blob | ReadableStream<Uint8Array>';

/** The generated files: names and contents. */
export function generateFiles(document: Document): ReadonlyMap<string, string> {
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    operationsOf(item)
      .filter(([, operation]) => !LEFT_OUT.test(operation.operationId) && !isPage(operation))
      .map(([method, operation]) =>
        toMethod(document, method.toUpperCase(), path, withParameters(document, item, operation)),
      ),
  );
  const resources = Map.groupBy(methods, ({ resource }) => resource);
  return new Map([
    ['lists.ts', printLists(methods)],
    ['operations.ts', printOperations(resources)],
    ['resources.ts', printResources(resources, document)],
    ['schemas.ts', printSchemas(document)],
  ]);
}

function operationsOf({ parameters: _parameters, ...operations }: PathItem): [string, DocumentOperation][] {
  return Object.entries(operations);
}

/** The operation with the parameters of its path. Shared ones still say by what name they are shared. */
function withParameters(
  { components }: Document,
  { parameters: ofPath = [] }: PathItem,
  operation: DocumentOperation,
): DocumentOperation {
  const parameters = [...ofPath, ...(operation.parameters ?? [])];
  const resolved = parameters.map((parameter) => {
    const shared = components.parameters[parameter.$ref?.replace(/^.*\//, '') ?? ''];
    return shared ? { ...shared, ...parameter } : parameter;
  });
  return { ...operation, parameters: resolved };
}

/** Pages are for people. */
function isPage(operation: DocumentOperation): boolean {
  return Object.keys(outputOf(operation)).join() === 'text/html';
}

function printSchemas({ components }: Document): string {
  return (
    NOTICE +
    Object.entries(components.schemas)
      .map(([name, schema]) => `\n${printDeclaration(name, schema)}`)
      .join('')
  );
}

/** Prints a constant per list, so that a program contains only those it uses. */
function printLists(methods: readonly Method[]): string {
  const lists = methods.flatMap(({ resource, name, facts }) =>
    facts === null
      ? []
      : `\n/** \`${resource}.${name}\`. */\nexport const ${resource}${capitalize(name)} = ${JSON.stringify(facts)} as const satisfies ListFacts;\n`,
  );
  return `${NOTICE}import type { ListFacts } from '../list-facts.ts';\n${lists.join('')}`;
}

function printOperations(resources: ReadonlyMap<string, readonly Method[]>): string {
  const tables = [...resources].map(([resource, methods]) => {
    const lines = methods.map(({ name, text }) => `    ${name}: '${text}',\n`);
    return `  ${resource}: {\n${lines.join('')}  },\n`;
  });
  return `${NOTICE}import type { OperationText } from '../operation.ts';

/** All operations by resource and name. */
export const operations: Readonly<Record<string, Readonly<Record<string, OperationText>>>> = {
${tables.join('')}};
`;
}

function printResources(resources: ReadonlyMap<string, readonly Method[]>, document: Document): string {
  const members = [...resources].map(([resource, methods]) => {
    const signatures = methods.map(({ signature }) => signature).join('');
    return `  readonly ${resource}: {\n${signatures}  };\n`;
  });
  const body = `/** The resources of the API. All calls throw \`TesseraError\`. */\nexport interface Resources {\n${members.join('')}}\n`;
  const queries = [...resources.values()]
    .flat()
    .map(({ inputTypes }) => inputTypes)
    .join('');
  const code = (queries + body).replaceAll(/\/\*\*.*?\*\//gs, '');
  const used = Object.keys(document.components.schemas).filter((name) =>
    new RegExp(`\\b${name}\\b`).test(code),
  );
  return `${NOTICE}import type { Filters as FiltersOf } from '../filters.ts';
import type { AllInput, ListInput, Optional } from '../lists.ts';
import type { CallOptions, QueryOptions, UploadOptions } from '../options.ts';
import type { ReplyEvent } from '../streams.ts';
import type {
${used.map((name) => `  ${name},\n`).join('')}} from './schemas.ts';

${queries}${body}`;
}

function toMethod(document: Document, verb: string, path: string, operation: DocumentOperation): Method {
  const [resource = '', name = ''] = operation.operationId.split('.').map(toCamelCase);
  const text = toText(document, verb, operation['x-path'] ?? path, operation);
  const queryName = `${capitalize(resource)}${capitalize(name)}Query`;
  const query = queryOf(operation.parameters ?? []);
  const filters = printFilters(document, operation);
  const filtersName = `${capitalize(resource)}${capitalize(name)}Filters`;
  const names = {
    query: query.length > 0 ? queryName : null,
    filters: filters === null ? null : filtersName,
  };
  return {
    resource,
    name,
    text,
    signature: printSignature(document, name, text, operation, names),
    inputTypes:
      (query.length > 0 ? `${printDeclaration(queryName, toSchema(query, operation['x-sort']))}\n` : '') +
      (filters === null ? '' : `/** Conditions of a list. */\nexport type ${filtersName} = ${filters};\n\n`),
    facts: factsOf(operation),
  };
}

function factsOf({ 'x-sort': sorts = [], 'x-filters': filters }: DocumentOperation): ListFacts | null {
  if (sorts.length === 0 && filters === undefined) return null;
  if (filters === undefined) return { sorts };
  const fields = Object.entries(filters.fields).map(([name, { type, values }]) => [
    name,
    {
      type: FILTER_TYPES.find((each) => each === type) ?? 'any',
      ...(values === undefined ? {} : { values }),
    },
  ]);
  const operations = FILTER_OPERATIONS.filter((each) => filters.operations.includes(each));
  return { sorts, filters: { fields: Object.fromEntries(fields), operations } };
}

/** Names of the types that a method's signature refers to. */
interface InputTypes {
  readonly query: string | null;
  readonly filters: string | null;
}

/** Prints the filters of a list whose query has any; null for other operations. */
function printFilters(document: Document, operation: DocumentOperation): string | null {
  const { requestBody, 'x-filters': filters } = operation;
  const body = requestBody?.content['application/json']?.schema;
  if (filters === undefined || body === undefined) return null;
  const { $ref } = Object(propertiesOf(document, body).filters ?? {});
  if ($ref !== '#/components/schemas/Filters') return null;
  const fields = Object.entries(filters.fields).map(([name, { type }]) => {
    const kind = /^\w+$/.test(type) ? type : 'any';
    const place = name.replace('<name>', `\${string}`);
    return place === name ? `  ${printName(name)}: '${kind}';` : `  [name: \`${place}\`]: '${kind}';`;
  });
  const operations = filters.operations.map((each) => `'${each}'`).join(' | ');
  return `FiltersOf<{\n${fields.join('\n')}\n}, ${operations}>`;
}

/** Returns the schema of a query. `sort` takes the fields of its list. */
function toSchema(query: readonly Parameter[], sortFields: readonly string[] = []): Schema {
  const sort = { description: SORT_COMMENT, enum: sortFields.flatMap((field) => [field, `-${field}`]) };
  const isSorted = ({ name }: Parameter) => name === 'sort' && sortFields.length > 0;
  return {
    type: 'object',
    properties: Object.fromEntries(query.map((each) => [each.name, isSorted(each) ? sort : each.schema])),
    required: query.filter((parameter) => parameter.required === true).map(({ name }) => name),
  };
}

function toText(document: Document, verb: string, path: string, operation: DocumentOperation): OperationText {
  const { security = document.security, parameters = [], requestBody } = operation;
  const credential = Object.keys(security[0] ?? {})[0] ?? 'None';
  const takesKey = parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key'));
  const output = outputOf(operation);
  const flags = [
    ...(requestBody ? [bodyFlag(requestBody.content)] : queryOf(parameters).length > 0 ? ['q'] : []),
    ...(takesKey ? ['i'] : []),
    ...(isStamped(document, operation) ? ['v'] : []),
    ...('application/json' in output ? [] : ['o']),
    ...(operation['x-stream'] ? ['s'] : []),
    ...listFlag(document, operation),
  ];
  return `${verb} ${path} ${credential} ${flags.join('')}`.trim();
}

/** True if a body requires the first version and the time of the record. */
function isStamped(document: Document, { requestBody }: DocumentOperation): boolean {
  const body = requestBody?.content['application/json'];
  const { required = [] } = body ? schemaOf(document, body.schema) : {};
  return STAMPED.every((name) => required.includes(name));
}

function bodyFlag(content: Content): string {
  if ('application/json' in content) return 'j';
  return 'multipart/form-data' in content ? 'f' : 'r';
}

function outputOf({ responses }: DocumentOperation): Content {
  return (responses['200'] ?? responses['202'])?.content ?? {};
}

/** Lists differ in how the size of a page is called, and some have positions. */
function listFlag(document: Document, operation: DocumentOperation): string[] {
  const reply = propertiesOf(document, outputOf(operation)['application/json']?.schema);
  const counts = { ...reply, ...propertiesOf(document, Object(reply.metadata)) };
  if (!('results' in reply && ('totalPages' in counts || 'next' in counts))) return [];
  const input = operation.requestBody?.content['application/json']?.schema;
  const asked = input
    ? Object.keys(propertiesOf(document, input))
    : queryOf(operation.parameters ?? []).map(({ name }) => name);
  if (!asked.includes('page')) return [];
  const size = asked.includes('limit') ? ['p'] : asked.includes('pageSize') ? ['z'] : [];
  return size.length > 0 && asked.includes('after') ? [...size, 'c'] : size;
}

function propertiesOf(document: Document, schema: Schema = {}): Schema {
  return Object(schemaOf(document, schema).properties ?? {});
}

function schemaOf({ components }: Document, schema: Schema): { properties?: Schema; required?: string[] } {
  const { $ref } = schema;
  return Object(typeof $ref === 'string' ? components.schemas[$ref.replace(/^.*\//, '')] : schema);
}

function queryOf(parameters: readonly Parameter[]): Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

function printSignature(
  document: Document,
  name: string,
  text: OperationText,
  operation: DocumentOperation,
  { query: queryName, filters }: InputTypes,
): string {
  const { summary, description, parameters = [], requestBody } = operation;
  const path = parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => `${toCamelCase(parameter.name)}: string`);
  const required = requiredOf(document, operation);
  const mark = (filledIn: readonly string[]) =>
    required.every((each) => filledIn.includes(each)) ? '?' : '';
  const type = requestBody ? bodyType(requestBody.content) : queryName;
  const isListBody = requestBody !== undefined && isPaged(text);
  const listType = isListBody ? printListType(type, filters, operation['x-sort']) : type;
  const isOptional = requestBody?.required === true && !isListBody ? '' : mark(isListBody ? FILLED_IN : []);
  const stamped = isStamped(document, operation)
    ? `Optional<${type}, ${STAMPED.map((each) => `'${each}'`).join(' | ')}>`
    : type;
  const inputType = isListBody ? `ListInput<${listType}>` : stamped;
  const input = type === null ? [] : [`input${isOptional}: ${inputType}`];
  const options = printOptions(operation, queryName);
  const json = outputOf(operation)['application/json'];
  const reply = json ? printType(json.schema, '    ') : 'Response';
  const print = (comment: string, method: string, given: readonly string[], result: string) =>
    `${printComment(comment, '    ')}    ${method}(${[...path, ...given, options].join(', ')}): ${result};\n`;
  const comment = description === undefined ? summary : `${summary}\n\n${description}`;
  const lines = [print(comment, name, input, `Promise<${reply}>`)];
  if (isPaged(text)) {
    const query = `input${mark(FILLED_IN)}: AllInput<${listType}>`;
    const items = `AsyncGenerator<${reply}['results'][number], void, undefined>`;
    lines.push(print(`${summary}: all pages`, allName(name), [query], items));
  }
  if (canStream(text))
    lines.push(
      print(
        `${summary}, as events`,
        `${name}Stream`,
        input,
        `AsyncGenerator<ReplyEvent<${reply}>, void, undefined>`,
      ),
    );
  return lines.join('');
}

/** Prints the arguments of `ListInput`: the body of a list, its filters and the fields that it can be sorted by. */
function printListType(
  body: string | null,
  filters: string | null,
  sortFields: readonly string[] = [],
): string {
  const fields = sortFields.map((field) => `'${field}'`).join(' | ');
  if (fields !== '') return `${body}, ${filters ?? 'never'}, ${fields}`;
  return filters === null ? `${body}` : `${body}, ${filters}`;
}

/** Prints the options of a method. They contain the query if the input is a body. */
function printOptions({ parameters = [], requestBody }: DocumentOperation, queryName: string | null): string {
  const isUpload = requestBody !== undefined && !('application/json' in requestBody.content);
  if (requestBody !== undefined && queryName !== null) {
    const isRequired = queryOf(parameters).some(({ required }) => required === true);
    const options = `QueryOptions<${queryName}>${isUpload ? ' & UploadOptions' : ''}`;
    return `options${isRequired ? '' : '?'}: ${options}`;
  }
  return `options?: ${isUpload ? 'UploadOptions' : 'CallOptions'}`;
}

/** Names of what a body or a query must have. */
function requiredOf(document: Document, { parameters = [], requestBody }: DocumentOperation): string[] {
  const body = requestBody?.content['application/json'];
  if (body) return schemaOf(document, body.schema).required ?? [];
  return queryOf(parameters)
    .filter((parameter) => parameter.required === true)
    .map(({ name }) => name);
}

function bodyType(content: Content): string {
  const body = content['application/json'] ?? content['multipart/form-data'];
  return body ? printType(body.schema, '    ') : RAW_BODY;
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function toCamelCase(name: string): string {
  return name.replaceAll(/[_-](.)/g, (_, letter: string) => letter.toUpperCase());
}

if (import.meta.main) {
  const document: Document = JSON.parse(await readFile(join(import.meta.dirname, '../openapi.json'), 'utf8'));
  const isCheck = process.argv.includes('--check');
  for (const [name, content] of generateFiles(document)) {
    const file = join(GENERATED, name);
    if (!isCheck) await writeFile(file, content);
    else if ((await readFile(file, 'utf8').catch(() => '')) !== content)
      throw new Error(
        `sdk/src/generated/${name} is not what openapi.json says. Run \`npm run sdk\` and commit it.`,
      );
  }
}
