import { type ApiCall, credentialOf, VARIABLES, withoutSecrets } from './api-call.ts';

/** Returns a call as a program that uses the SDK. */
export function toSdkCode({ operation, path, body, url, hasUnit }: ApiCall): string {
  const values = [...path, ...(body === undefined ? [] : [withoutSecrets(operation.fields, body)])];
  const options = [
    `  url: ${printText(url)},`,
    ...credentialOption(operation),
    ...(hasUnit ? [`  businessUnit: process.env.${VARIABLES.unit},`] : []),
  ];
  return [
    "import { Tessera } from 'tessera-sdk';",
    '',
    'const tessera = new Tessera({',
    ...options,
    '});',
    `await tessera.${operation.name}(${values.map((value) => print(value, '')).join(', ')});`,
  ].join('\n');
}

function credentialOption(operation: ApiCall['operation']): string[] {
  const credential = credentialOf(operation);
  if (credential === 'ApiKey') return [`  apiKey: process.env.${VARIABLES.ApiKey},`];
  return credential === 'AccessToken' ? [`  accessToken: process.env.${VARIABLES.AccessToken},`] : [];
}

function print(value: unknown, indent: string): string {
  if (typeof value === 'string') return printText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((each) => print(each, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${printName(name)}: ${print(member, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${inner}${items.join(`,\n${inner}`)},\n${indent}${close}`;
}

function printName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : printText(name);
}

function printText(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
