import Type from 'typebox';
import {
  FORBIDDEN,
  IMMUTABLE_FIELD,
  NOT_FOUND,
  VALIDATION_ERROR,
  VERSION_CONFLICT,
} from '../../../errors/platform-errors.ts';
import type { AutomationTrigger } from '../../../flows/automation-trigger.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { listRoute } from '../../../resources/list-routes.ts';
import { readsShared } from '../../../resources/ownership.ts';
import { updatesOf } from '../../../resources/updates.ts';
import { withMore } from '../../../resources/view.ts';
import { type ActionTypes, patternsOf } from './compile.ts';
import { definitionChecks, firstChecks } from './definition-checks.ts';
import { targetsOf } from './definition-targets.ts';
import { DUPLICATE_AUTOMATION, INVALID_AUTOMATION } from './errors.ts';
import { automationResource as automations } from './resource.ts';
import { ActionTypeList, AutomationParams } from './schema.ts';
import { createAutomation, deleteAutomation, replaceAutomation, showAutomation } from './service.ts';

const tag = 'Automations';
const path = '/api/automations';
const KeyReply = Type.Object({ key: Type.String() }, { title: 'AutomationKey' });
const shown = {
  webhook_url: Type.Optional(
    Type.String({
      description: 'For webhook triggers: the URL to call, with its secret token. Only for owners.',
    }),
  ),
};

/** Routes of automations and action types (docs/specification/automations.md#automation). */
export function definitionRoutes(
  types: ActionTypes,
  triggers: readonly AutomationTrigger[],
): readonly Route[] {
  return [actionTypesRoute(types), ...readingRoutes(triggers), ...writingRoutes(types, triggers)];
}

function readingRoutes(triggers: readonly AutomationTrigger[]): readonly Route[] {
  return [
    listRoute(
      automations,
      { path, id: 'automations', tag, noun: 'automation' },
      { isVisible: ({ caller }) => readsShared(caller) },
    ),
    defineRoute({
      id: 'automations.get',
      method: 'GET',
      path: `${path}/{key}`,
      summary: 'Reads an automation',
      tag,
      access: 'member',
      errors: [NOT_FOUND],
      returnsSecrets: true,
      params: AutomationParams,
      reply: withMore(automations.reply, shown, 'AutomationWithFigures'),
      handler: (ctx, { params: { key } }) => showAutomation(ctx, triggers, key),
    }),
  ];
}

function writingRoutes(types: ActionTypes, triggers: readonly AutomationTrigger[]): readonly Route[] {
  const checks = definitionChecks(types);
  return [
    defineRoute({
      id: 'automations.create',
      method: 'POST',
      path,
      summary: 'Creates an automation',
      tag,
      access: 'owner',
      errors: [FORBIDDEN, DUPLICATE_AUTOMATION, VALIDATION_ERROR],
      invalid: INVALID_AUTOMATION,
      body: automations.createBody,
      maxBodyBytes: CONTENT_BODY_BYTES,
      firstChecks: firstChecks(true),
      checks,
      patterns: patternsOf,
      targets: targetsOf,
      reply: KeyReply,
      write: (ctx, { body }) => createAutomation(ctx, triggers, body),
    }),
    defineRoute({
      id: 'automations.replace',
      method: 'PUT',
      path: `${path}/{key}`,
      summary: 'Updates an automation',
      description: 'Runs already requested keep their version.',
      tag,
      access: 'owner',
      errors: [
        NOT_FOUND,
        FORBIDDEN,
        DUPLICATE_AUTOMATION,
        IMMUTABLE_FIELD,
        VERSION_CONFLICT,
        VALIDATION_ERROR,
      ],
      invalid: INVALID_AUTOMATION,
      params: AutomationParams,
      updates: updatesOf(automations),
      body: automations.replaceBody,
      maxBodyBytes: CONTENT_BODY_BYTES,
      firstChecks: firstChecks(false),
      checks,
      patterns: patternsOf,
      targets: targetsOf,
      reply: KeyReply,
      write: (ctx, { params: { key }, body }) => replaceAutomation(ctx, triggers, key, body),
    }),
    defineRoute({
      id: 'automations.delete',
      method: 'DELETE',
      path: `${path}/{key}`,
      summary: 'Deletes an automation; its history stays readable',
      description: 'Runs that have not started are skipped.',
      tag,
      access: 'owner',
      errors: [NOT_FOUND, FORBIDDEN],
      params: AutomationParams,
      reply: KeyReply,
      write: (ctx, { params: { key } }) => deleteAutomation(ctx, triggers, key),
    }),
  ];
}

function actionTypesRoute(types: ActionTypes): Route {
  const results = [...types.values()].map(({ key, name, description, params }) => ({
    ...{ key, name, description, params },
  }));
  return defineRoute({
    id: 'automations.list_action_types',
    method: 'GET',
    path: `${path}/action-types`,
    summary: 'Lists the action types',
    tag,
    access: 'member',
    reply: ActionTypeList,
    handler: async () => ({ results }),
  });
}
