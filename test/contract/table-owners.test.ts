/**
 * Only the folder that declares a table's row type names the table, in queries and in SQL; exceptions have a reason.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { featureFolderOf } from '../harness/features.ts';
import { listFiles, readText } from '../harness/repository.ts';

/** Folders and files that name a table of another folder, with the reason. */
const GUESTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tenants: {
    'db/every-node.ts': 'asks the tenants of each node apart while another node is away',
    'features/operations/tenants': 'makes tenants and lists them for the operator',
    'features/tenancy/business-units': "shows a person's memberships with the names of their tenants",
    'features/mail/email-tracking': 'tells whom a mail came from',
    'features/operations/operations': 'tells whether a table of every node can be read',
    'features/tenancy/memberships': 'tells in which tenant somebody signs in, by its code',
  },
  users: {
    'features/tenancy/views': 'names the authors of views',
    'features/tenancy/drafts': 'names the authors of drafts',
    'features/tenancy/memberships': 'makes people and shows them with their memberships',
  },
  business_units: {
    'tenancy/sql/find-caller.sql': 'tells who calls and where they may act, in one statement',
    'tenancy/sql/find-session-caller.sql': 'tells the same of an access token',
    'tenancy/sql/find-browser-session.sql': 'tells the same of a browser session',
    'tenancy/find-member-caller.ts': 'tells the same of a member whose work goes on without a request',
    'tenancy/unit-names.ts': 'finds units by what bodies and filters call them',
    'tenancy/tenant-row.ts': 'leads an insert of computed rows to the node of its tenant',
    'tenancy/sql/tenant-row-sql.sql': 'leads an insert of computed rows to the node of its tenant',
    'features/automations/automations/sql/make-runs.sql':
      'leads runs, which are made of JSON, to the node of their tenant',
    'db/every-node.ts': 'asks which nodes of tenants are there',
    'work-queue/load-work.ts': 'asks whether the node of a tenant is there',
    'work-queue/due-tenants.ts': 'finds tenants with waiting rows where they are spread over nodes',
    'work-queue/waiting-watch.ts':
      'looks over the tenants for work queues with waiting rows where they are spread over nodes',
    'features/operations/tenants': 'deletes all units but the Default one',
    jobs: 'goes through tenants one after the other, by their Default units',
    'features/forms/forms': 'hides embedded forms of archived units',
    'features/ai/ai-assistants': 'refuses assistants of archived units',
    'features/forms/form-themes': 'hides embedded themes of archived units',
  },
  memberships: {
    'tenancy/sql/find-caller.sql': 'tells who calls and where they may act, in one statement',
    'tenancy/sql/find-session-caller.sql': 'tells the same of an access token',
    'tenancy/sql/find-browser-session.sql': 'tells the same of a browser session',
    'tenancy/find-browser-session.ts': 'counts the tenants of a user whose request names none',
    'tenancy/find-member-caller.ts': 'tells the same of a member whose work goes on without a request',
    'http/member-use.ts': 'records when a member was last seen',
    'features/tenancy/business-units': "shows a person's memberships in every tenant",
    'features/operations/tenants': 'deletes the memberships of those who are no owners',
    'features/tenancy/views': 'names the authors of views',
    'features/tenancy/drafts': 'names the authors of drafts',
  },
  business_unit_grants: {
    'tenancy/sql/find-caller.sql': 'tells who calls and where they may act, in one statement',
    'tenancy/sql/find-session-caller.sql': 'tells the same of an access token',
    'tenancy/sql/find-browser-session.sql': 'tells the same of a browser session',
    'tenancy/find-member-caller.ts': 'tells the same of a member whose work goes on without a request',
    'features/operations/tenants': 'deletes the grants of a tenant',
  },
  api_keys: {
    'tenancy/find-caller.ts': 'tells whose a key is before anything else is known',
    'tenancy/sql/find-caller.sql': 'tells who calls and where they may act, in one statement',
    http: 'notes when a key was used',
  },
  sessions: {
    'tenancy/sql/find-session-caller.sql': 'tells who calls and where they may act, in one statement',
  },
  browser_sessions: {
    'tenancy/sql/find-browser-session.sql': 'tells who calls and where they may act, in one statement',
    http: 'notes when a session was used',
  },
  record_history: {
    'features/tenancy/activity': 'lists the changes of all records',
    'features/tenancy/entity-history': 'is the feature of these records',
    'features/forms/form-submissions':
      'writes a submission with its history in one statement, and erases both',
    'features/forms/forms':
      'reads the definition of the version that an answer is checked against, and what deleted forms said',
    'features/forms/webhooks/sql/load-deliveries.sql': 'sends a submission as its GET shows it',
    'features/operations/tenants': 'keeps the history of what a reset keeps',
    'features/journeys': 'moves states, many at once, each with its version, in one statement',
    'features/contacts/subscribers': 'tells who unsubscribed a subscriber',
    'features/subscriber-timeline':
      'lists the versions of a subscriber among what else happened, in one statement',
    'long-operations/revert.ts': 'counts in one statement which records a revert would restore',
  },
  subscriber_watches: {
    'features/journeys/sql/signal-events.sql': 'signals what people did where it is heard, in one statement',
  },
  subscriber_signals: {
    'features/journeys/sql/signal-events.sql': 'signals what people did where it is heard, in one statement',
  },
  entity_webhooks: {
    'features/records/entities': 'lets the events of an entity go with it',
  },
  entity_revisions: {
    'features/operations/tenants': 'goes on counting when a reset drops entities',
    'tenancy/sql/find-session-caller.sql': 'tells with the caller how recent definitions must be',
    'tenancy/sql/find-browser-session.sql': 'tells the same of a browser session',
    'tenancy/entity-revision.ts': 'tells the same of a caller with an API key',
  },
  documents: { 'features/pages/model-usage': 'tells what uses a model, in one statement' },
  document_models: { 'features/pages/model-usage': 'tells what uses a model, in one statement' },
  document_model_slices: { 'features/pages/model-usage': 'tells what uses a model, in one statement' },
  slice_models: { 'features/pages/model-usage': 'tells what uses a model, in one statement' },
  slice_model_slices: { 'features/pages/model-usage': 'tells what uses a model, in one statement' },
  page_projects: {
    'features/pages/model-usage': 'tells what uses a model, in one statement',
    'features/pages/documents': 'reads a document and whether its project is there, in one statement',
    'features/pages/preview-snapshots': 'reads a snapshot and whether its project is there, in one statement',
    'features/pages/redirects':
      'asks for the changes of rules and whether their project is there, in one statement',
  },
  page_site_settings: { 'features/pages/model-usage': 'tells what uses a model, in one statement' },
  jobs: { 'features/operations/operations': 'says how long those that failed are kept' },
  idempotency_keys: { 'features/operations/operations': 'says how long they are kept' },
  email_outbox: { 'features/mail/outbox': 'is the feature of these records' },
  email_template_snippets: {
    'features/mail/email-templates/included-snippets.ts':
      'renders them; imports go the other way, since snippets are checked by the parser of templates',
  },
  email_messages: {
    'features/marketing/campaigns': 'takes a snapshot of the recipients of an email in one statement',
    'features/marketing/marketing-events': 'tells whose an event is, and what led to it, in one statement',
    'features/mail/email-tracking':
      'notes on a message what happened to it; sending imports tracking, not the reverse',
    'features/mail/email-event-webhooks/sql/load-event-deliveries.sql':
      'reads what an attempt needs in one statement',
  },
  transmissions: {
    'features/mail/email-tracking': 'tells whom a mail came from',
    'features/mail/email-event-webhooks/sql/load-event-deliveries.sql':
      'reads what an attempt needs in one statement',
  },
  subscribers: {
    'features/marketing/campaigns': 'takes a snapshot of the recipients of an email in one statement',
    'features/marketing/marketing-events': 'tells whose an event is, and what led to it, in one statement',
  },
  subscription_preferences: {
    'features/marketing/campaigns': 'takes a snapshot of the recipients of an email in one statement',
  },
  marketing_emails: {
    'features/journeys/sql/signal-events.sql': 'signals what people did where it is heard, in one statement',
    'features/marketing/marketing-events': 'tells whose an event is, and what led to it, in one statement',
  },
  delivery_attempts: {
    'features/forms/webhooks/sql/delete-deliveries.sql': 'deletes deliveries with their attempts at once',
  },
  email_message_events: {
    'features/marketing/marketing-events': 'tells whose an event is, and what led to it, in one statement',
    'features/mail/email-event-webhooks/sql/load-event-deliveries.sql':
      'reads what an attempt needs in one statement',
  },
  email_event_webhooks: {
    'features/mail/email-event-webhooks/delivery.ts': 'says where the work queue notes the last attempts',
    'features/mail/email-event-webhooks/sql/load-event-deliveries.sql':
      'reads what an attempt needs in one statement',
    'features/mail/email-tracking/sql/record-message-events.sql':
      'commits all that follows from an event at once',
  },
  subscriber_group_members: {
    'features/marketing/campaigns': 'takes a snapshot of the recipients of an email in one statement',
    'features/contacts/subscribers/queries.ts': 'counts whom mail can reach in one statement',
  },
  subscriber_group_counts: {
    'features/contacts/subscribers/queries.ts': 'counts whom mail can reach in one statement',
  },
  email_event_deliveries: {
    'features/mail/email-tracking/sql/record-message-events.sql':
      'commits all that follows from an event at once',
  },
  email_suppressions: {
    'features/contacts/subscribers/queries.ts': 'counts whom mail can reach in one statement',
    'features/mail/email-tracking/sql/record-message-events.sql':
      'commits all that follows from an event at once',
  },
};

const DECLARATIONS = /interface Tables \{\n([\s\S]*?)\n {2}\}/g;
const IN_QUERY =
  /(?:selectFrom|insertInto|updateTable|deleteFrom|Join|JoinLateral|using|from|into|sql\.table)\(\s*\[?\s*'(?:public\.)?(\w+)(?: as \w+)?'|\btable: '(\w+)'|'(\w+) as \w+'/g;
const IN_SQL = /\b(?:from|join|into|update|using|table|only)\s+(?:public\.)?(\w+)/gi;
/** Matches an array argument of a function, or an expression of `with`: not a table, whatever its name. */
const LOCAL = /(\w+)\s+(?:\w+\[\]|as\s+(?:materialized\s+)?\()/g;

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

async function readSources(): Promise<SourceFile[]> {
  const paths = [...(await listFiles('src', '.ts')), ...(await listFiles('src', '.sql'))];
  return Promise.all(
    paths
      .filter((path) => !path.endsWith('.test.ts'))
      .map(async (path) => ({ path: path.replace('src/', ''), text: await readText(path) })),
  );
}

/** Returns the feature's folder, or the folder of the platform. */
function folderOf(path: string): string {
  return featureFolderOf(`src/${path}`)?.replace('src/', '') ?? /^([^/]+)\//.exec(path)?.[1] ?? path;
}

function ownersOf(files: readonly SourceFile[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { path, text } of files) {
    for (const [, body = ''] of text.matchAll(DECLARATIONS)) {
      for (const [, table = ''] of body.matchAll(/^ {4}(\w+):/gm)) owners.set(table, folderOf(path));
    }
  }
  return owners;
}

/** Returns the SQL in a file: a whole `.sql` file, or the templates of others. */
function sqlOf({ path, text }: SourceFile): string {
  if (path.endsWith('.sql')) return text.replaceAll(/--.*/g, '');
  return [...text.matchAll(/\bsql(?:<[^`]*>)?`([^`]*)`/g)].map(([, body]) => body).join('\n');
}

function namesIn(file: SourceFile): Set<string> {
  const sql = sqlOf(file);
  const local = new Set([...sql.matchAll(LOCAL)].map(([, name]) => name));
  const found = [...file.text.matchAll(IN_QUERY), ...sql.matchAll(IN_SQL)].flatMap(([, ...names]) => names);
  return new Set(found.filter((name) => name !== undefined && !local.has(name)));
}

const files = await readSources();
const owners = ownersOf(files);

test('only its owner and listed exceptions name a table', () => {
  assert.ok(owners.size >= 25, 'the declarations of tables were not found');
  const used = new Set<string>();
  const violations: string[] = [];
  for (const file of files) {
    for (const table of namesIn(file)) {
      const owner = owners.get(table);
      if (owner === undefined || owner === folderOf(file.path)) continue;
      const guest = [file.path, folderOf(file.path)].find((place) => GUESTS[table]?.[place] !== undefined);
      if (guest === undefined) violations.push(`${file.path} names ${table} of ${owner}`);
      else used.add(`${guest}: ${table}`);
    }
  }
  assert.deepEqual(violations, []);
  const listed = Object.entries(GUESTS).flatMap(([table, places]) =>
    Object.keys(places).map((place) => `${place}: ${table}`),
  );
  assert.deepEqual(
    listed.filter((entry) => !used.has(entry)),
    [],
    'these are listed and need it no more',
  );
});
