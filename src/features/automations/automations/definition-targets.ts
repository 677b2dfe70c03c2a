import type { DefinitionTarget } from '../../../outbound/definition-targets.ts';
import { httpRequestAction } from './actions/http-request.ts';
import type { AutomationReplace } from './resource.ts';
import type { Action } from './schema.ts';

type Body = Pick<AutomationReplace, 'actions' | 'conditionalActions' | 'on_failure'>;

/** Returns the URLs that a definition's actions call. */
export function targetsOf({
  actions = [],
  conditionalActions = [],
  on_failure = [],
}: Body): DefinitionTarget[] {
  return [
    ...listTargets('actions', actions),
    ...conditionalActions.flatMap((group, index) =>
      listTargets(`conditionalActions[${index}].actions`, group.actions),
    ),
    ...listTargets('on_failure', on_failure),
  ];
}

function listTargets(path: string, actions: readonly Action[]): DefinitionTarget[] {
  return actions.flatMap(({ actionTypeKey, params }, index) =>
    actionTypeKey === httpRequestAction.key
      ? [{ field: `${path}[${index}].params.url`, url: params?.url }]
      : [],
  );
}
