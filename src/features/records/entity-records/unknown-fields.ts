/** Unknown fields in bodies: reported in a warning, or refused in strict mode and by PATCH. */
import { invalidRequest } from '../../../errors/platform-errors.ts';
import type { BearerContext } from '../../../http/context.ts';
import { wantsStrict } from '../../../http/known-names.ts';
import { nearestName } from '../../../http/nearest-name.ts';
import { describeUnknown, pathOf, type UnknownName, warningOf } from '../../../http/unknown-members.ts';
import type { EntityModel } from '../entities/index.ts';
import { isRecordBody } from './record-values.ts';
import { shownFields } from './shown-fields.ts';

/** A body of a record, and its path in the request. */
export interface BodyAtPath {
  readonly body: unknown;
  readonly path: readonly (string | number)[];
}

/**
 * Reports unknown fields in the `Warning` header.
 * @throws AppError INVALID_REQUEST naming each unknown field, if the request asks for strict checks or is a PATCH.
 */
export function reportUnknownFields(
  ctx: BearerContext,
  model: EntityModel,
  bodies: readonly BodyAtPath[],
): void {
  const unknown = bodies.flatMap((body) => findUnknownFields(model, body));
  if (unknown.length === 0) return;
  if (wantsStrict(ctx) || ctx.method === 'PATCH')
    throw invalidRequest(unknown.map((each) => ({ field: pathOf(each), message: describeUnknown(each) })));
  ctx.setHeader('warning', warningOf(unknown));
}

function findUnknownFields(model: EntityModel, { body, path }: BodyAtPath): UnknownName[] {
  if (!isRecordBody(body)) return [];
  const fields = shownFields(model);
  const isKnown = (name: string) => fields.has(name) || model.relations.has(name);
  return Object.keys(body)
    .filter((name) => !isKnown(name))
    .map((name) => ({
      kind: 'member',
      path: [...path, name],
      suggestion: nearestName(name, [...fields.keys(), ...model.relations.keys()]),
    }));
}
