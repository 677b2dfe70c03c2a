/** Declares kinds of operations: those that the platform runs in parts, and those that a feature runs by itself. */
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { defineJob } from '../jobs/jobs.ts';
import { type Caller, hasRoleInAnyUnit, type Role, roleCovers, roleIn } from '../tenancy/caller.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { OperationDefinition, OperationKind, OperationTurn, PartedOperation } from './operation-kind.ts';
import { isUnfinished, type OperationRow } from './operations.ts';
import { updateOperation } from './queries.ts';
import { revertingKind } from './revert.ts';
import { type OperationWork, runOperation, stopOperation } from './run-operation.ts';

/** The longest time of a job, in seconds. A part takes much less; others wait in the queue of jobs. */
const TIMEOUT_SECONDS = 900;

/** Id and turn of an operation; the name of the id depends on the kind. */
const Payload = Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]));

/** Declares a kind of operation that runs in parts, for a feature's manifest. */
export function defineOperation<P extends TSchema, S extends TSchema>(
  definition: OperationDefinition<P, S>,
): PartedOperation<P> {
  const {
    kind,
    params,
    initialState,
    queuedAs = { job: `operations.run-${kind}`, id: 'operationId' },
  } = definition;
  const work: OperationWork = {
    ...workOf(definition),
    enqueue: ({ tenantId, operationId, turn }, tx, platform) =>
      platform.jobs.enqueue(tx, job, { tenantId, [queuedAs.id]: operationId, turn }),
  };
  const run: PartedOperation['run'] = (turn, platform, runMs) => runOperation(platform, work, turn, runMs);
  const job = defineJob({
    name: queuedAs.job,
    payload: Payload,
    timeoutSeconds: TIMEOUT_SECONDS,
    run: (platform, payload) => run(turnIn(payload, queuedAs.id), platform),
  });
  const revert = definition.revert && {
    definition: definition.revert,
    kind: defineOperation(revertingKind(kind, definition.revert)),
  };
  return {
    kind,
    jobs: [job, ...(revert?.kind.jobs ?? [])],
    ...(revert && { revert }),
    params,
    initialState,
    mayRun: work.mayRun,
    enqueue: work.enqueue,
    run,
    async cancel(row, tx, platform) {
      await stopOperation(platform, work, tx, row, 'cancelled');
      // The next turn deletes what is left; a job that waits for the lock finds that its turn is over.
      const turn = row.turn + 1;
      await updateOperation(tx, row.id, { turn });
      await work.enqueue({ tenantId: tx.tenantId, operationId: row.id, turn }, tx, platform);
    },
  };
}

/** Declares a kind of operation that the feature runs by itself. `stop` ends its own work when a member cancels it. */
export function defineTrackedOperation(
  kind: string,
  stop: (operationId: string, tx: ScopedDb) => Promise<void>,
): OperationKind {
  return {
    kind,
    jobs: [],
    async cancel(row, tx, { clock }) {
      await stop(row.id, tx);
      if (isUnfinished(row)) await updateOperation(tx, row.id, { status: 'cancelled', finished_at: clock() });
    },
  };
}

/** Returns the functions of a kind that read stored operations by its schemas. */
function workOf<P extends TSchema, S extends TSchema>({
  params,
  state,
  role,
  isAllowed = () => true,
  part,
  isRace = () => false,
  stopped = async () => [],
  cleanUp = async () => {},
}: OperationDefinition<P, S>): Omit<OperationWork, 'enqueue'> {
  const paramsOf = Compile(params);
  const stateOf = Compile(state);
  const read = (row: OperationRow) => ({
    id: row.id,
    unitId: row.unit_id,
    params: paramsOf.Parse(row.params),
    state: stateOf.Parse(row.state),
  });
  return {
    mayRun: (caller, unitId) => hasRole(caller, unitId, role) && isAllowed(caller),
    part: (row, ctx) => part(read(row), ctx),
    isRace,
    stopped: (row, tx, cause) => stopped(read(row), tx, cause),
    cleanUp,
  };
}

function hasRole(caller: Caller, unitId: string | null, needed: Role): boolean {
  if (unitId === null) return hasRoleInAnyUnit(caller, needed);
  const role = roleIn(caller, unitId);
  return role !== null && roleCovers(role, needed);
}

function turnIn(payload: Readonly<Record<string, string | number>>, idName: string): OperationTurn {
  const { tenantId, turn, [idName]: operationId } = payload;
  return { tenantId: String(tenantId), operationId: String(operationId), turn: Number(turn) };
}
