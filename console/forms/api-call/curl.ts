import { type ApiCall, credentialOf, VARIABLES, withoutSecrets } from './api-call.ts';

/** Returns a call as a command of a shell. */
export function toCurl({ operation, path, body, url, hasUnit }: ApiCall): string {
  const { method, fields } = operation;
  const headers = [
    ...credentialHeader(operation),
    ...(hasUnit ? [`"X-Business-Unit: $${VARIABLES.unit}"`] : []),
    ...(body === undefined ? [] : [quote('Content-Type: application/json')]),
  ];
  const json = body === undefined ? [] : [JSON.stringify(withoutSecrets(fields, body), null, 2)];
  return [
    `curl -X ${method} ${quote(`${url}${fillPath(operation.path, path)}`)}`,
    ...headers.map((header) => `-H ${header}`),
    ...json.map((text) => `-d ${quote(text)}`),
  ].join(' \\\n  ');
}

function credentialHeader(operation: ApiCall['operation']): string[] {
  const credential = credentialOf(operation);
  if (credential === 'ApiKey') return [`"X-API-Key: $${VARIABLES.ApiKey}"`];
  return credential === 'AccessToken' ? [`"Authorization: Bearer $${VARIABLES.AccessToken}"`] : [];
}

function fillPath(path: string, values: readonly string[]): string {
  let index = 0;
  return path.replace(/\{(\w+)\}/g, (whole) => {
    const value = values[index++];
    return value === undefined ? whole : encodeURIComponent(value);
  });
}

/** Quotes a text for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
