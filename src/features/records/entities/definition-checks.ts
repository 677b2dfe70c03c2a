/** Rules that the schema of a definition cannot express and that need no other data. */
import type { Issue } from '../../../errors/app-error.ts';
import { ruleBroken } from '../../../errors/platform-errors.ts';
import { type BodyCheck, check, checkEach } from '../../../http/body-checks.ts';
import { fieldFaults } from './field-checks.ts';
import { storedNameOf, valueRulesOf } from './models.ts';
import type { Definition, Field, Workflow } from './schema.ts';
import { readerOf } from './values.ts';

/** `/api/webhooks` is taken on the surface `records`: it serves webhooks of records. */
const RESERVED_ENTITIES: ReadonlySet<string> = new Set(['webhooks']);

interface DefinitionBody {
  readonly fields: readonly Field[];
  readonly workflow?: Workflow | null | undefined;
}

/** Checks of every definition. */
export const DEFINITION_CHECKS: readonly BodyCheck<DefinitionBody>[] = [
  checkEach('fields', fieldFaults),
  check(['fields'], ({ fields }) => findDuplicates(fields)),
  check(['fields', 'workflow'], ({ fields, workflow }) => (workflow ? workflowFaults(workflow, fields) : [])),
];

/** Additional checks of a new definition. */
export const NEW_ENTITY_CHECKS: readonly BodyCheck<DefinitionBody & { readonly name: string }>[] = [
  check(['name'], ({ name }) =>
    RESERVED_ENTITIES.has(name) ? [{ field: 'name', message: 'is reserved' }] : [],
  ),
  ...DEFINITION_CHECKS,
];

/** Finds names that are used twice. A relation uses two: its own name and the one it is stored under. */
function findDuplicates(fields: readonly Field[]): Issue[] {
  const usedNames = new Set<string>();
  return fields.flatMap((field, index): Issue[] => {
    const names = new Set([field.name, storedNameOf(field) ?? field.name]);
    const duplicate = [...names].find((name) => usedNames.has(name));
    for (const name of names) usedNames.add(name);
    return duplicate === undefined
      ? []
      : [{ field: `fields[${index}].name`, message: `${duplicate} already exists` }];
  });
}

function workflowFaults(workflow: Workflow, fields: readonly Field[]): Issue[] {
  const states = new Set(workflow.states);
  const isState = (at: string, state: string): Issue[] =>
    states.has(state) ? [] : [{ field: `workflow.${at}`, message: 'must be one of the states' }];
  const transitionKeys = workflow.transitions.map(({ from, to }) => JSON.stringify([from, to]));
  return [
    ...stateFieldFaults(workflow, fields),
    ...ownerFieldFaults(workflow, fields),
    ...(states.size < workflow.states.length
      ? [{ field: 'workflow.states', message: 'must not contain a state twice' }]
      : []),
    ...isState('initial', workflow.initial),
    ...workflow.transitions.flatMap(({ from, to }, index) => [
      ...isState(`transitions[${index}].from`, from),
      ...isState(`transitions[${index}].to`, to),
      ...(transitionKeys.indexOf(transitionKeys[index] ?? '') < index
        ? [{ field: `workflow.transitions[${index}]`, message: 'already exists' }]
        : []),
    ]),
  ];
}

function stateFieldFaults({ field: name, states, initial }: Workflow, fields: readonly Field[]): Issue[] {
  const field = fields.find((each) => each.name === name);
  if (field === undefined) return [{ field: 'workflow.field', message: 'must be one of the fields' }];
  if (field.type !== 'enum' && field.type !== 'string')
    return [{ field: 'workflow.field', message: 'must be a field of type enum or string' }];
  const issues: Issue[] = [];
  const choices = field.enum;
  const unknown = choices ? states.filter((state) => !choices.includes(state)) : [];
  if (unknown.length > 0)
    issues.push({
      field: 'workflow.states',
      message: `must be among the choices of ${name}: ${unknown.join(', ')}`,
    });
  if ((field.default ?? initial) !== initial)
    issues.push({
      field: 'workflow.initial',
      message: `must be the default of ${name}: new records start in it`,
    });
  issues.push(...(field.type === 'enum' ? [] : unreadableStates(field, states)));
  if (field.unique === true) issues.push({ field: 'workflow.field', message: 'must not be unique' });
  return issues;
}

function unreadableStates(field: Field, states: readonly string[]): Issue[] {
  const read = readerOf(valueRulesOf(field, true));
  const faults = new Map<string, string[]>();
  for (const state of states) {
    const result = read(state);
    if ('message' in result) faults.set(result.message, [...(faults.get(result.message) ?? []), state]);
  }
  return [...faults].map(([message, those]) => ({
    field: 'workflow.states',
    message: `${message}, as ${field.name} says: ${those.join(', ')}`,
  }));
}

/** Sample user ids of every UUID version in use, to test whether a field accepts the ids of users. */
export const USER_IDS: readonly string[] = [
  '00000000-0000-4000-8000-000000000000',
  '0198c6c4-abcd-7ef0-9123-456789abcdef',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
];

function ownerFieldFaults({ field: state, owner_field: name }: Workflow, fields: readonly Field[]): Issue[] {
  if (name === undefined) return [];
  const at = (message: string): Issue[] => [{ field: 'workflow.owner_field', message }];
  const field = fields.find((each) => each.name === name);
  if (field === undefined || name === state || !['string', 'text', 'uuid'].includes(field.type))
    return at('must be another field, of type string, text or uuid');
  const read = readerOf(valueRulesOf(field, false));
  const fault = USER_IDS.map((id) => read(id)).find((result) => 'message' in result);
  return fault === undefined ? [] : at(`must be a field for the id of a user, but ${fault.message}`);
}

/** Size of a field in addition to the characters of its texts. */
const FIELD_OVERHEAD = 400;
/** Maximum size of all definitions of a tenant. */
const MAX_TOTAL_SIZE = 8_000_000;

type SizedDefinition = Pick<Definition, 'fields' | 'workflow'>;

/** Returns the size of a definition: roughly the bytes of its model in memory. */
export function sizeOf({ fields, workflow }: SizedDefinition): number {
  return fields.length * FIELD_OVERHEAD + JSON.stringify([fields, workflow]).length;
}

/** @throws AppError VALIDATION_ERROR if the definitions of a tenant are too large together. */
export function requireTotalSize(definitions: readonly SizedDefinition[]): void {
  if (definitions.reduce((sum, definition) => sum + sizeOf(definition), 0) > MAX_TOTAL_SIZE)
    throw ruleBroken(
      'fields',
      `make the definitions of the tenant larger than ${MAX_TOTAL_SIZE} characters together, where a field counts as ${FIELD_OVERHEAD} more`,
    );
}
