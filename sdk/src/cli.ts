#!/usr/bin/env node
/// <reference types="node" />
/** The command `tessera-sdk types`, which writes the types of a tenant's entities to a file. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { TesseraError } from './errors.ts';
import { Tessera } from './index.ts';
import { printEntityTypes } from './types/entity-types.ts';

const USAGE = `Usage: tessera-sdk types FILE [--url URL] [--email EMAIL] [--tenant CODE]

Writes the types of your entities to FILE, for example src/tessera-entities.d.ts.

  --url     URL of the server. Default: TESSERA_URL.
  --email   Email address to sign in with; the password is read from TESSERA_PASSWORD. Default: TESSERA_EMAIL.
  --tenant  Code of the tenant, if the user belongs to several. Default: TESSERA_TENANT.

Signing in is not necessary if TESSERA_API_KEY or TESSERA_ACCESS_TOKEN is set.`;

try {
  await run();
} catch (error) {
  if (!(error instanceof TesseraError) && !(error instanceof TypeError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      email: { type: 'string' },
      tenant: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [command, file] = positionals;
  const { TESSERA_URL, TESSERA_EMAIL, TESSERA_TENANT, TESSERA_PASSWORD } = process.env;
  const url = values.url ?? TESSERA_URL;
  if (values.help || command !== 'types' || file === undefined || url === undefined) {
    console.error(USAGE);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const email = values.email ?? TESSERA_EMAIL;
  const tenant = values.tenant ?? TESSERA_TENANT;
  const { TESSERA_API_KEY, TESSERA_ACCESS_TOKEN } = process.env;
  const headers =
    TESSERA_API_KEY !== undefined && values.email === undefined
      ? { 'X-API-Key': TESSERA_API_KEY, 'X-Tessera-Surface': 'records' }
      : {
          authorization: `Bearer ${TESSERA_ACCESS_TOKEN ?? (await signIn(url, email, TESSERA_PASSWORD, tenant))}`,
        };
  const response = await fetch(`${url.replace(/\/+$/, '')}/api/openapi.json`, { headers });
  if (!response.ok) throw new TypeError(`${url} did not return the entities: status ${response.status}.`);
  const text = printEntityTypes(await response.json());
  await writeFile(file, text);
  console.log(`Wrote the types of your entities to ${file}.`);
}

async function signIn(
  url: string,
  email: string | undefined,
  password: string | undefined,
  tenant: string | undefined,
): Promise<string> {
  if (email === undefined || password === undefined)
    throw new TypeError(
      'Set TESSERA_API_KEY or TESSERA_ACCESS_TOKEN, or pass --email and set TESSERA_PASSWORD.',
    );
  const credentials = { email, password, ...(tenant === undefined ? {} : { tenant_code: tenant }) };
  return (await new Tessera({ url }).auth.login(credentials)).token;
}
