/** Formats of text members by name, for the OpenAPI document: descriptions that are not validated. */

/** Name patterns and their formats. The first match counts. */
const RULES: readonly (readonly [RegExp, string])[] = [
  // May be empty, or relative to a site.
  [/^(?:brand_)?logo_url$|^target_url$/, 'uri-reference'],
  [/(?:^|_)url$/, 'uri'],
  [/(?:^|_)email(?:_address)?$/, 'email'],
  [/_at$|^timestamp$|_time$|^(?:first|last)_click$/, 'date-time'],
  [
    /^(?:tenant|bu|user|membership|subscriber|submission|run|import|thread|default_business_unit)_id$/,
    'uuid',
  ],
];

/** Adds the format that a name implies to a text schema, unless the schema is more specific. */
export function withFormat(name: string, schema: object): object {
  const { type, format, pattern, enum: values } = Object(schema);
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (!isText || format !== undefined || pattern !== undefined || values !== undefined) return schema;
  if ('const' in schema) return schema;
  const rule = RULES.find(([names]) => names.test(name));
  return rule === undefined ? schema : { ...schema, format: rule[1] };
}
