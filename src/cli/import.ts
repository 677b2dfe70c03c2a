import { stdout } from 'node:process';
import { readImportVariables } from '../config.ts';
import { type Command, type CommandInput, UsageError } from './command.ts';
import { importDirectus } from './moving/directus.ts';
import { importFormbricks, importFormbricksFile } from './moving/formbricks.ts';
import { openState } from './moving/import-state.ts';
import { importListmonk } from './moving/listmonk.ts';
import { type Move, Report } from './moving/move.ts';
import { importStrapi } from './moving/strapi.ts';
import { importSubscriberExport } from './moving/subscriber-export.ts';
import { createTarget } from './moving/target.ts';

/** The systems that can be imported from, by the name of their argument. */
const SOURCES: Readonly<Record<string, (move: Move) => Promise<void>>> = {
  listmonk: (move) => (isUrl(move.from) ? importListmonk(move) : importSubscriberExport(move, 'listmonk')),
  mailchimp: importMailchimp,
  formbricks: (move) => (isUrl(move.from) ? importFormbricks(move) : importFormbricksFile(move)),
  directus: async (move) => {
    if (!isUrl(move.from)) throw wrong('FROM must be the address of a running Directus');
    await importDirectus(move);
  },
  strapi: async (move) => {
    if (isUrl(move.from)) throw wrong('FROM must be an archive of strapi export');
    await importStrapi(move);
  },
};
const SOURCE_NAMES = Object.keys(SOURCES);

/** Imports data of another system into a running Tessera, by its HTTP API. */
export const importData: Command = {
  name: 'import',
  summary: 'Imports data of another system into a running Tessera',
  details: [
    'Without --apply it is a dry run, which counts and writes nothing. TESSERA_API_KEY is the key of an editor,',
    'for directus and strapi of an owner. SOURCE_TOKEN is the credential of the source: `user:token` of an API',
    'user of listmonk, an API key of Formbricks, or the static token of an administrator of Directus. Repeat the',
    'command after a failure: what was imported is not created again. docs/moving.md describes it.',
  ],
  arguments: [
    { name: 'SOURCE', description: `One of ${SOURCE_NAMES.join(', ')}.` },
    {
      name: 'FROM',
      description:
        'URL of a running listmonk, Formbricks or Directus; or a file, ZIP or folder of an export.',
    },
  ],
  options: {
    apply: { description: 'Write the data.' },
    url: { value: 'URL', description: 'URL of Tessera. Default: TESSERA_URL.' },
    state: { value: 'FILE', description: 'File for the progress. Default: tessera-import-SOURCE.json.' },
    list: { value: 'NAME', description: 'List to create for the subscribers of files.' },
    'from-email': {
      value: 'ADDRESS',
      description: 'Sender of templates and campaigns, at a verified domain.',
    },
  },
  run: async (input) => {
    const source = input.argument(0);
    const importFrom = SOURCES[source];
    if (importFrom === undefined) throw wrong(`SOURCE must be one of ${SOURCE_NAMES.join(', ')}`);
    const move = await openMove(input, source);
    try {
      await importFrom(move);
    } catch (error) {
      stdout.write(move.report.toText(move.isApplied));
      throw error;
    }
    stdout.write(move.report.toText(move.isApplied));
  },
};

async function importMailchimp(move: Move): Promise<void> {
  if (isUrl(move.from)) throw wrong('FROM must be the ZIP, a folder or a file of a Mailchimp export');
  await importSubscriberExport(move, 'mailchimp');
}

async function openMove(input: CommandInput, source: string): Promise<Move> {
  const from = input.argument(1);
  const { url: defaultUrl = '', apiKey, sourceToken } = readImportVariables();
  const url = input.text('url') ?? defaultUrl;
  if (!isUrl(url))
    throw wrong('--url or TESSERA_URL must be the address of Tessera, such as https://tessera.example');
  if (apiKey === undefined) throw wrong('TESSERA_API_KEY is missing');
  const target = createTarget(url, apiKey, `${source} ${from}`);
  const file = input.text('state') ?? `tessera-import-${source}.json`;
  return {
    from,
    target,
    state: await openState(file, from, target.url),
    report: new Report(),
    isApplied: input.has('apply'),
    token: sourceToken,
    fromEmail: input.text('from-email'),
    listName: input.text('list'),
  };
}

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

function wrong(reason: string): UsageError {
  return new UsageError(`tessera import: ${reason} (tessera import --help)`);
}
