/** Converts JSON Schemas of Tessera's OpenAPI documents to TypeScript. */

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** Returns the declaration of a named schema, with a doc comment. */
export function printDeclaration(name: string, schema: Schema): string {
  const type = printType(schema);
  const declaration =
    schema.type === 'object' && type.startsWith('{')
      ? `export interface ${name} ${type}`
      : `export type ${name} = ${type};`;
  return `${printComment(schema.description)}${declaration}\n`;
}

/** Returns a doc comment with its line break; empty without a text. */
export function printComment(text: unknown, indent = ''): string {
  if (typeof text !== 'string' || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Returns the type of a schema. `indent` is the indentation of its line. */
export function printType(schema: unknown, indent = ''): string {
  if (!isSchema(schema)) return 'unknown';
  const { $ref, const: only, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return $ref.replace(/^.*\//, '');
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return printUnion(values.map((value) => JSON.stringify(value)));
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return printUnion(alternatives.map((each) => printType(each, indent)));
  if (Array.isArray(allOf)) return allOf.map((each) => printType(each, indent)).join(' & ');
  if (Array.isArray(type))
    return printUnion(type.map((each) => printType({ ...schema, type: each }, indent)));
  switch (type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return printArray(schema, indent);
    case 'object':
      return printObject(schema, indent);
    default:
      return 'unknown';
  }
}

function printArray({ items }: Schema, indent: string): string {
  const item = printType(items, indent);
  return /^[\w.]+$/.test(item) || item.startsWith('{') ? `${item}[]` : `(${item})[]`;
}

function printObject(schema: Schema, indent: string): string {
  const { properties, required, patternProperties, additionalProperties } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const inner = `${indent}  `;
  const members = Object.entries(isSchema(properties) ? properties : {}).map(([name, property]) => {
    const comment = printComment(isSchema(property) ? property.description : undefined, inner);
    const mark = needed.has(name) ? '' : '?';
    // Allow undefined with `exactOptionalPropertyTypes` too: JSON omits such a member.
    const type = printType(property, inner) + (needed.has(name) ? '' : ' | undefined');
    return `${comment}${inner}${printName(name)}${mark}: ${type};`;
  });
  const others = isSchema(patternProperties) ? Object.values(patternProperties)[0] : additionalProperties;
  if (members.length === 0) {
    if (others === false) return '{}';
    return `Record<string, ${isSchema(others) ? printType(others, indent) : 'unknown'}>`;
  }
  if (isSchema(others)) members.push(`${inner}[name: string]: unknown;`);
  return `{\n${members.join('\n')}\n${indent}}`;
}

/** Returns the name of an object's member, quoted if necessary. */
export function printName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function printUnion(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
