import type { DefinitionTarget } from '../../../outbound/definition-targets.ts';
import { httpRequestAction } from './actions/http-request.ts';
import type { AutomationReplace } from './resource.ts';
import type { Action } from './schema.ts';

type Body = Pick<AutomationReplace, 'actions' | 'conditionalActions' | 'on_failure'>;

/** Returns the addresses that a definition's actions call. */
export function targetsOf({
  actions = [],
  conditionalActions = [],
  on_failure = [],
}: Body): DefinitionTarget[] {
  return [
    ...ofList('actions', actions),
    ...conditionalActions.flatMap((group, index) =>
      ofList(`conditionalActions[${index}].actions`, group.actions),
    ),
    ...ofList('on_failure', on_failure),
  ];
}

function ofList(at: string, actions: readonly Action[]): DefinitionTarget[] {
  return actions.flatMap(({ actionTypeKey, params }, index) =>
    actionTypeKey === httpRequestAction.key
      ? [{ field: `${at}[${index}].params.url`, url: params?.url }]
      : [],
  );
}
