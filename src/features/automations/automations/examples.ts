import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { automationResource } from './resource.ts';
import { TriggerBody } from './schema.ts';

const definition = (name: NameOf): Static<typeof automationResource.replaceBody> => ({
  app: 'shop',
  name: 'Tell the warehouse of large orders',
  triggerType: 'afterCreate',
  entityKey: name('entity'),
  triggerParams: {},
  conditionalActions: [
    {
      condition: {
        combinator: 'and',
        rules: [{ field: 'total', operator: 'greaterThan', value: 1000 }],
      },
      actions: [
        {
          key: 'tell',
          name: 'Tell the warehouse',
          actionTypeKey: 'httpRequest',
          params: {
            method: 'POST',
            url: name('receiver'),
            body: { number: '{{trigger.entity.number}}' },
          },
        },
      ],
    },
  ],
});
const trigger = { entity: { id: '0193a5c0-7c1e-7000-8000-000000000000', number: 'A-17', total: 1200 } };
const failedRunParams = (name: NameOf) => ({ key: name('failing_automation'), run_id: name('failed_run') });

export const examples: FeatureExamples = {
  records: {
    automation: {
      path: '/api/automations/{key}',
      createdBy: 'automations.create',
      absent: () => 'absent_automation',
    },
    inactive_automation: { createdBy: 'automations.create', with: { active: false } },
    failing_automation: {},
    failed_run: { absent: randomUUID },
    skipped_run: { absent: randomUUID },
  },
  requests: {
    'automations.create': body(automationResource.createBody)((name, unique) => ({
      key: unique('large_orders'),
      ...definition(name),
    })),
    'automations.replace': body(automationResource.replaceBody)(definition),
    'automations.run': body(TriggerBody)({ trigger }),
    'automations.test': body(TriggerBody)({ trigger }),
    'automations.get_run': { params: failedRunParams },
    'automations.replay_run': { params: failedRunParams },
    'automations.cancel_run': {
      params: (name) => ({ key: name('inactive_automation'), run_id: name('skipped_run') }),
    },
  },
};
